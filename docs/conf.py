"""The documentation: ``make docs`` builds it offline into docs/_build/html."""

from importlib import metadata

from docutils import nodes
from docutils.utils.math import MathError, latex2mathml
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.writers.html5 import HTML5Translator

project = "ccc"
author = "The ccc developers"
copyright = "The ccc developers, MIT licence"
version = release = metadata.version("ccc")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.doctest",
    "sphinx.ext.viewcode",
    "numpydoc",
]
exclude_patterns = ["_build", "_templates"]
templates_path = ["_templates"]
nitpicky = False
myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3
autosummary_generate = True
autodoc_typehints = "none"
autodoc_default_options = {
    "members": True,
    "member-order": "bysource",
    # Made by scikit-learn, with links into its own documentation.
    "exclude-members": "set_score_request",
}
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

html_theme = "pydata_sphinx_theme"
html_title = "ccc"
html_static_path = ["_static"]
html_css_files = ["ccc.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "show_prev_next": False,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_sidebars = {"**": []}
html_math_renderer = "mathml"


def _mathml(writer: HTML5Translator, node: nodes.Node, block: bool) -> None:
    """A formula as MathML, which browsers show without a script and without a connection."""
    try:
        formula = latex2mathml.tex2mathml(node.astext(), as_block=block)
    except (MathError, SyntaxError) as error:
        raise ExtensionError(f"no MathML for {node.astext()!r}: {error}") from error
    writer.body.append(f'<div class="math">{formula}</div>' if block else formula)
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Register the renderer of formulas."""
    app.add_html_math_renderer(
        "mathml",
        (lambda writer, node: _mathml(writer, node, block=False), None),
        (lambda writer, node: _mathml(writer, node, block=True), None),
    )
