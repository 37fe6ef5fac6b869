"""Numbers as text, and frames of text as Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

__all__ = [
    "MISSING",
    "SMALL_PRINT",
    "bar",
    "escape",
    "latex_table",
    "markdown_table",
    "mean_sd",
    "to_csv",
]

MISSING = "–"
LINE, BETWEEN = 85, 3  # letters of \footnotesize in a line, and as wide as the gap of two columns
LONG, NARROW = 45, 0.25  # letters of a cell that is broken into lines, and their least share
SMALL_PRINT = {"markdown": "<sub>{}</sub>", "latex": r"{{\tiny {}}}"}
# Characters that mean something else to LaTeX, or nothing.
LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%_#${}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {character: f"${character}$" for character in "<>|"}
    | {"ν": r"$\nu$", "γ": r"$\gamma$", "σ": r"$\sigma$", "λ": r"$\lambda$"}
    | {"≤": r"$\le$", "≥": r"$\ge$", "×": r"$\times$", "–": "--", "…": r"\dots{}"}
)


def to_csv(frame: pd.DataFrame) -> str:
    """A long table as CSV: six significant digits, two of gaps, whose others are rounding."""
    gaps = [name for name in frame.columns if "gap" in str(name)]
    two = {name: [float(f"{value:.1e}") for value in frame[name]] for name in gaps}
    return frame.assign(**two).to_csv(index=False, float_format="%.6g", lineterminator="\n")


def mean_sd(mean: float, sd: float) -> str:
    """``mean (sd)``, without brackets where there is one repetition, and no zero with a sign."""
    mean = round(mean, 2) + 0.0
    return f"{mean:.2f}" if pd.isna(sd) else f"{mean:.2f} ({sd:.2f})"


def markdown_table(frames: Sequence[pd.DataFrame], caption: str, footnote: str) -> str:
    """Frames of text as Markdown, one below the other, with one caption and footnote."""
    blocks = [caption]
    for frame in frames:
        rows = [bar([str(value) for value in row]) for row in frame.itertuples(index=False)]
        blocks.append("\n".join([bar(list(frame.columns)), bar([":--"] * frame.shape[1]), *rows]))
    return "\n\n".join([*blocks, footnote]) + "\n"


def latex_table(frames: Sequence[pd.DataFrame], caption: str, footnote: str, label: str) -> str:
    """Frames of text as LaTeX (array, booktabs), one below the other, with one caption.

    Headings and caption are plain text; what is in the frames is LaTeX.
    """
    lines = [
        r"\begin{table}",
        rf"\caption{{{escape(caption)} {escape(footnote)}}}",
        rf"\label{{tab:{label}}}",
        *(r"\centering", r"\footnotesize"),
    ]
    for i, frame in enumerate(frames):
        rows = [" & ".join(map(str, row)) for row in frame.itertuples(index=False)]
        lines += [
            *([r"\par\medskip"] if i else []),
            rf"\begin{{tabular}}{{{_columns(frame)}}}",
            *(r"\toprule", " & ".join(escape(name) for name in frame.columns) + r" \\"),
            r"\midrule",
            *(row.replace(MISSING, "--") + r" \\" for row in rows),
            *(r"\bottomrule", r"\end{tabular}"),
        ]
    return "\n".join([*lines, r"\end{table}", ""])


def _columns(frame: pd.DataFrame) -> str:
    """One letter per column, but where text is long a column of what the others leave of a line."""
    widths = [
        max([len(str(name)), *(len(str(value)) for value in frame.iloc[:, place])])
        for place, name in enumerate(frame.columns)
    ]
    long = [width > LONG for width in widths]
    taken = sum(width for width in widths if width <= LONG) + BETWEEN * len(widths)
    share = max(NARROW, (LINE - taken) / LINE) / max(1, sum(long))
    broken = rf">{{\raggedright\arraybackslash}}p{{{share:.2f}\linewidth}}"
    return "".join(broken if is_long else "l" for is_long in long)


def bar(cells: Sequence[str]) -> str:
    """One line of a Markdown table."""
    return "| " + " | ".join(cells) + " |"


def escape(text: str) -> str:
    """Plain text as LaTeX."""
    return text.translate(LATEX)
