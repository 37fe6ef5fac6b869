"""What became of a claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Finding"]


@dataclass(frozen=True)
class Finding:
    """A verdict and the numbers that it rests on.

    Attributes
    ----------
    verdict : {"confirmed", "partly confirmed", "not confirmed", "not examined"}
    numbers : str
    """

    verdict: str
    numbers: str

    @classmethod
    def of_cells(cls, holds: Sequence[bool], numbers: str) -> Finding:
        """Confirmed if it holds in all cells, partly if in some.

        A reduced run may have none of the cells that a claim is about.
        """
        if not holds:
            return cls("not examined", "none of these cells is in the run")
        count = f"{sum(holds)} of {len(holds)}: {numbers}"
        if all(holds):
            return cls("confirmed", count)
        return cls("partly confirmed" if any(holds) else "not confirmed", count)

    @classmethod
    def of_whole(cls, holds: bool, numbers: str) -> Finding:
        """Confirmed or not."""
        return cls("confirmed" if holds else "not confirmed", numbers)
