# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the evaluation and the decoder laboratory share: where things are, files that are kept, and
what a report is made of. It knows neither of them."""
