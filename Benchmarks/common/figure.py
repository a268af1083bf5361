"""Figures: what was measured, what was wanted, and how both are shown."""

from dataclasses import dataclass, field
from statistics import median


@dataclass(frozen=True)
class Goal:
    """A bound for a figure's value, or for its ratio to the peer's."""

    bound: float
    is_least: bool
    of_ratio: bool = False

    def is_met(self, figure: "Figure") -> bool:
        number = figure.ratio if self.of_ratio else figure.value
        if number is None:
            return False
        return number >= self.bound if self.is_least else number <= self.bound

    def __str__(self) -> str:
        sign = "≥" if self.is_least else "≤"
        return f"{sign} {shown(self.bound)}" + (" of peer" if self.of_ratio else "")


def at_least(bound: float) -> Goal:
    return Goal(bound, is_least=True)


def at_most(bound: float) -> Goal:
    return Goal(bound, is_least=False)


def ratio_at_least(bound: float) -> Goal:
    return Goal(bound, is_least=True, of_ratio=True)


def ratio_at_most(bound: float) -> Goal:
    return Goal(bound, is_least=False, of_ratio=True)


@dataclass
class Figure:
    """The median of some runs, with those of a peer in the same session where there is one."""

    name: str
    runs: list[float]
    unit: str
    goal: Goal | None = None
    peer: str | None = None
    peer_runs: list[float] = field(default_factory=list)
    # Set by the driver: the share of the machine that others took meanwhile.
    others: float = 0.0

    @property
    def value(self) -> float:
        return median(self.runs)

    @property
    def peer_value(self) -> float | None:
        return median(self.peer_runs) if self.peer_runs else None

    @property
    def ratio(self) -> float | None:
        return self.value / self.peer_value if self.peer_value else None

    @property
    def is_met(self) -> bool | None:
        return self.goal.is_met(self) if self.goal else None

    def json(self) -> dict:
        return {
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "goal": str(self.goal) if self.goal else None,
            "met": self.is_met,
            "peer": {"name": self.peer, "value": self.peer_value} if self.peer else None,
            "ratio": self.ratio,
            "runs": self.runs,
            "peerRuns": self.peer_runs,
            "others": round(self.others, 3),
        }


def shown(number: float) -> str:
    """Three digits, or all those before the point."""
    if number != 0 and abs(number) < 1000:
        digits = 2 if abs(number) < 10 else 1 if abs(number) < 100 else 0
        return f"{number:.{digits}f}"
    return f"{number:,.0f}"


def table(figures: list[Figure]) -> str:
    rows = [["what", "median", "of runs", "goal", "met", "peer", "ratio", "others"]]
    for figure in figures:
        runs = f"{shown(min(figure.runs))} … {shown(max(figure.runs))}"
        rows.append([
            figure.name,
            f"{shown(figure.value)} {figure.unit}",
            runs if len(figure.runs) > 1 else "",
            str(figure.goal or ""),
            {True: "yes", False: "NO", None: ""}[figure.is_met],
            f"{figure.peer}: {shown(figure.peer_value)}" if figure.peer_value is not None else "",
            f"{figure.ratio:.2f}" if figure.ratio is not None else "",
            f"{figure.others:.0%}",
        ])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
    return "\n".join([lines[0], "-" * max(map(len, lines)), *lines[1:]])
