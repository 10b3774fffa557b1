# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What all renderers render: a report of sections with sentences, tables and plots.

A cell without a value says why. A number knows the name under which `trace` shows where it is from.
"""

import dataclasses
import typing

DASH = "–"


@dataclasses.dataclass(frozen=True)
class Cell:
    """What is shown, its value for sorting and CSV, its trace, or why there is nothing.

    interval is (low, high) of the value where the text names them; CSV files have columns for them.
    """

    text: str
    value: float | str | None = None
    trace: str | None = None
    why: str | None = None
    interval: tuple | None = None

    def __post_init__(self):
        if (self.text in ("", DASH)) != (self.why is not None):
            raise ValueError(f"a cell {self.text!r} with the reason {self.why!r}")


def label(text, trace=None):
    return Cell(str(text), str(text), trace)


def missing(why):
    return Cell(DASH, None, None, why)


def digits_of(value):
    """Returns how many decimals show three significant digits."""
    magnitude = abs(value)
    return next((d for bound, d in ((100, 0), (10, 1), (1, 2), (0.1, 3)) if magnitude >= bound), 4)


def number(value, trace, digits=None, suffix=""):
    """Returns a cell with three significant digits, or as many decimals as given."""
    decimals = digits_of(value) if digits is None else digits
    return Cell(f"{value:,.{decimals}f}{suffix}", float(value), trace)


def plain(value):
    """Writes a number with three significant digits, never as a power of ten."""
    return f"{value:,.{digits_of(value)}f}"


def concise(value):
    """Writes a number rounded to three significant digits, without zeros at its end, never as a
    power of ten."""
    return f"{float(f'{value:.3g}'):,.10g}"


def duration(nanoseconds):
    """Writes a time in the unit that fits it: 93.4 µs, 11.0 ms."""
    units = (("µs", 1e3), ("ms", 1e6), ("s", 1e9))
    unit, scale = next((u for u in reversed(units) if nanoseconds >= u[1]), units[0])
    return f"{plain(nanoseconds / scale)} {unit}"


class Warned(str):
    """A warning; brief says it in a few words, for the terminal."""

    __slots__ = ("brief",)
    brief: str

    def __new__(cls, brief, text):
        made = super().__new__(cls, text)
        made.brief = brief
        return made


@dataclasses.dataclass
class Table:
    """Rows of cells; key names files; a table without rows says why in reason."""

    key: str
    title: str
    columns: list
    rows: list = dataclasses.field(default_factory=list)
    notes: list = dataclasses.field(default_factory=list)
    reason: str | None = None
    texts: int = 1  # so many first columns are names, the others numbers
    detail: bool = False  # long: the terminal leaves it out
    printed: bool = False  # is on paper, too; the page folds all tables
    units: list = dataclasses.field(default_factory=list)  # of the columns, "" where there is none
    source: str = ""  # of what was measured: machine, date, version

    def add(self, *cells):
        if len(cells) != len(self.columns):
            raise ValueError(f"{self.key}: {len(cells)} cells for {len(self.columns)} columns")
        self.rows.append(list(cells))

    def reasons(self):
        """Returns the reasons of empty cells, each once, in order."""
        return list(dict.fromkeys(cell.why for row in self.rows for cell in row if cell.why))


@dataclasses.dataclass
class Plot:
    """A figure: a chart (charts.py), which has described() for Vega-Lite and words()."""

    key: str
    title: str
    chart: typing.Any
    printed: bool = True  # is on paper, too: not what only few want to see
    finding: str = ""  # what it shows, in a sentence without its full stop
    source: str = ""  # machine, date, version
    folded: bool = False  # the page has it behind a line

    def __post_init__(self):
        self.finding = self.finding or getattr(self.chart, "finding", str)()

    @property
    def caption(self):
        return f"{self.finding}. {self.title}" if self.finding else self.title

    @property
    def alternative(self):
        """The words that say the same."""
        return f"{self.caption}. {self.chart.words()}."


@dataclasses.dataclass
class Section:
    key: str
    title: str
    sentences: list = dataclasses.field(default_factory=list)
    tables: list = dataclasses.field(default_factory=list)
    plots: list = dataclasses.field(default_factory=list)
    more: list = dataclasses.field(default_factory=list)  # sentences for those who want them all
    links: list = dataclasses.field(default_factory=list)  # (words, address) of what is elsewhere


@dataclasses.dataclass
class Brief:
    """What the summary of one page shows below the opening; plot may be None."""

    plot: Plot | None
    table: Table


@dataclasses.dataclass
class Report:
    """What is rendered; opening is a few sentences, and picture the plots of the first screen."""

    title: str
    run_path: str
    facts: list  # (name, value): machine, build, clock
    warnings: list
    unavailable: list  # one line for each peer or tool that was not there
    sections: list
    opening: list = dataclasses.field(default_factory=list)
    picture: list = dataclasses.field(default_factory=list)
    brief: Brief | None = None
    screen: Table | None = None  # the times that the terminal shows
    first: Table | None = None  # the times of the page's first screen
    source: str = ""  # machine, day and version, for charts
    rows: typing.Callable | None = None  # returns everything as one long table, a data frame

    def plots(self):
        """Returns all plots, in the order of the page."""
        return [*self.picture, *(plot for section in self.sections for plot in section.plots)]

    def tables(self):
        return [table for section in self.sections for table in section.tables]


class Answer(str):
    """A sentence that answers QUESTIONS[key]."""

    __slots__ = ("key",)
    key: str

    def __new__(cls, key, text):
        made = super().__new__(cls, text)
        made.key = key
        return made
