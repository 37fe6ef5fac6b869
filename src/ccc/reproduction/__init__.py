"""Every published number and claim beside ours, with a verdict by a stated rule."""

from ccc.reproduction.claims import CLAIMS, Claim, Finding, examine
from ccc.reproduction.document import reproduction_document
from ccc.reproduction.verdicts import RULES, VERDICTS, judge, welch

__all__ = [
    "CLAIMS",
    "RULES",
    "VERDICTS",
    "Claim",
    "Finding",
    "examine",
    "judge",
    "reproduction_document",
    "welch",
]
