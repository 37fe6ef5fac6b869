"""Colours of classes, for figures and pages: told apart with any colour vision, while that goes.

Up to seven classes have the colours of Okabe and Ito; two the pair of them that also differs in
lightness, for grey prints. More have Tol's discrete rainbow, in which neighbours are alike, so that
nothing may rest on the colour alone: such classes are :func:`numbered` wherever they are shown.
"""

from __future__ import annotations

__all__ = ["OKABE_ITO", "class_colours", "dark", "numbered", "tinted"]

OKABE_ITO = ["#E69F00", "#56B4E9", "#009E73", "#CC79A7", "#0072B2", "#D55E00", "#F0E442"]
PAIR = ["#E69F00", "#0072B2"]
# P. Tol, Colour Schemes (2021), the discrete rainbow of 20.
RAINBOW = (
    *("#D9CCE3", "#CAACCB", "#BA8DB4", "#AA6F9E", "#994F88", "#882E72", "#1965B0", "#437DBF"),
    *("#6195CF", "#7BAFDE", "#4EB265", "#90C987", "#CAE0AB", "#F7F056", "#F6C141", "#F1932D"),
    *("#E8601C", "#DC050C", "#A5170E", "#72190E"),
)


def class_colours(c: int) -> list[str]:
    """Colours of c classes; beyond 20 they come again."""
    if c <= len(PAIR):
        return PAIR[:c]
    if c <= len(OKABE_ITO):
        return OKABE_ITO[:c]
    step = max(1.0, (len(RAINBOW) - 1) / (c - 1))
    return [RAINBOW[round(i * step) % len(RAINBOW)] for i in range(c)]


def numbered(c: int) -> bool:
    """Whether c classes need numbers beside their colours."""
    return c > len(OKABE_ITO)


def dark(colour: str) -> bool:
    """Whether white text reads better on a colour than black (WCAG's contrast)."""
    red, green, blue = (
        (value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4)
        for value in _rgb(colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.179


def tinted(colour: str, share: float) -> str:
    """A colour mixed with white, of which it keeps a ``share``."""
    mixed = (round(255 * (1 - share * (1 - value))) for value in _rgb(colour))
    return "#" + "".join(f"{value:02X}" for value in mixed)


def _rgb(colour: str) -> list[float]:
    return [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
