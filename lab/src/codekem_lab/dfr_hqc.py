# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HQC's failure rate: the formula [HQC, 9], and what decodings of the inner code say of it.

Decryption meets a code word with the error x r2 + y r1 + e. The inner code decodes symbol by
symbol, and the outer one corrects `outer_errors` wrong symbols. There is no iteration and nothing
to
extrapolate: from the rate of wrong symbols, which is large enough to be measured, the rate of
failures follows, if symbols are wrong independently of each other. That, too, can be seen.
"""

import math

import scipy  # its parts are loaded when they are first used

from codekem_lab.dfr_model import log2_binomial
from codekem_lab.dfr_statistics import clopper_pearson


def error_rate(n, key_weight, error_weight):
    """Returns the probability that a bit of x r2 + y r1 + e is 1."""
    product = sum(
        2
        ** (
            log2_binomial(key_weight, odd)
            + log2_binomial(n - key_weight, error_weight - odd)
            - log2_binomial(n, error_weight)
        )
        for odd in range(1, min(key_weight, error_weight) + 1, 2)
    )
    both = 2 * product * (1 - product)
    share = error_weight / n
    return both * (1 - share) + (1 - both) * share


def symbol_bound(rate, inner_length):
    """Returns a bound for the rate of wrong symbols, for independent bits: the code has 255 other
    words, at half the length; a tie counts half, as the linear part decides it."""
    half = inner_length // 2
    return 255 * (
        scipy.stats.binom.sf(half // 2, half, rate)
        + scipy.stats.binom.pmf(half // 2, half, rate) / 2
    )


def log2_failure_rate(symbol_rate, outer_length, outer_errors):
    """Returns log2 of the rate at which more symbols are wrong than the outer code corrects."""
    return float(scipy.stats.binom.logsf(outer_errors, outer_length, symbol_rate)) / math.log(2)


def formula(specification):
    """Returns (rate of error bits, bound for wrong symbols, log2 of the bound for failures)."""
    s = specification
    bits = error_rate(s["r"], s["d"], s["t"])
    symbols = symbol_bound(bits, s["inner_length"])
    return bits, symbols, log2_failure_rate(symbols, s["outer_length"], s["outer_errors"])


def spread(histogram):
    """Returns the variance of the number of wrong symbols of a word over that of independent
    symbols, with a 95 % interval for independent ones around 1; None if nothing was wrong."""
    words = sum(histogram)
    length = len(histogram) - 1
    mean = sum(i * n for i, n in enumerate(histogram)) / words
    if mean == 0:
        return None
    variance = sum((i - mean) ** 2 * n for i, n in enumerate(histogram)) / words
    expected = mean * (1 - mean / length)
    # Of the sample variance of rare events, nearly Poisson: Var(s^2) = (mean + 2 mean^2) / words.
    margin = 1.96 * math.sqrt((mean + 2 * mean**2) / words) / expected
    return variance / expected, (1 - margin, 1 + margin)


def sentences(campaign, claim, duration):
    """Says what the decodings show, beside the formula and the claim."""
    s = campaign["specification"]
    row = campaign["points"][0]
    bits, bound, failures = formula(s)
    found = [
        f"By the formula, a bit of the error is 1 at a rate of {bits:.4f}, the inner code gets at "
        f"most 2^{math.log2(bound):.2f} of the symbols wrong, and more than {s['outer_errors']} of "
        f"{s['outer_length']} symbols are wrong at a rate of at most 2^{failures:.1f}; the "
        f"specification claims less than 2^{claim}."
    ]
    if row["decodings"] == 0 or row["failures"] == 0:
        return [*found, "No wrong symbol was seen yet."]
    low, high = clopper_pearson(row["failures"], row["decodings"])
    ends = [log2_failure_rate(rate, s["outer_length"], s["outer_errors"]) for rate in (low, high)]
    found.append(
        f"Decoded were {row['decodings']:,} symbols in {sum(row['histogram']):,} words, in "
        f"{duration(row['seconds'])} of one core: {row['failures']:,} were wrong, a rate of "
        f"2^{math.log2(row['failures'] / row['decodings']):.2f} (95 % interval "
        f"2^{math.log2(low):.2f} to 2^{math.log2(high):.2f}), "
        + ("below" if high < bound else "not surely below")
        + " the bound. With it, independent "
        f"symbols give failures at 2^{ends[0]:.1f} to 2^{ends[1]:.1f}, "
        + ("below" if ends[1] < claim else "not surely below")
        + " the claim."
    )
    ratio, interval = spread(row["histogram"])
    found.append(
        f"The number of wrong symbols in a word varies {ratio:.3f} times as much as with "
        f"independent symbols, for which {interval[0]:.3f} to {interval[1]:.3f} is to be expected: "
        + (
            "no dependence is seen."
            if interval[0] <= ratio <= interval[1]
            else "less than that: symbols are wrong together less often."
            if ratio < interval[0]
            else "symbols are wrong together more often, so the true rate is higher than that of "
            "independent ones."
        )
    )
    return found
