# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The documentation as a site, of the pages as they are: scripts/build-docs.sh (make docs) runs Sphinx with the root of the
repository as its source folder, so that links mean the same here as in the files.

The Python reference comes from docstrings; compiled modules and torch are stood in for, so that nothing has to be built.
"""

import inspect
import re
import sys
from pathlib import Path

from docutils import nodes
from pygments.lexer import RegexLexer, include
from pygments.token import Comment, Keyword, Literal, Name, Number, Operator, Punctuation, String, Text
from sphinx.addnodes import pending_xref
from sphinx.transforms import SphinxTransform

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))

project = "TileIR"
version = release = re.search(r"VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text().split("project(TileIR")[1])[1]
root_doc = "docs/index"
include_patterns = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "editors/*/README.md", "docs/**.md"]
exclude_patterns = ["build*", ".*", "test", "lib", "include"]
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = f"TileIR {version}"
html_copy_source = False
smartquotes = False  # "none" is code

# As slugs of headings are on the pages that test/Docs/pages.py checks.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]

autodoc_mock_imports = ["numpy", "torch", "tileir._native", "tileir._ir"]
autodoc_typehints = "none"
autodoc_member_order = "bysource"
# `x` in a docstring is code, as it is on pages.
default_role = "code"


class MLIRLexer(RegexLexer):
    """MLIR by its lexical structure alone: dialects define the rest."""

    name = "MLIR"
    aliases = ["mlir"]
    tokens = {
        "root": [
            (r"//.*", Comment.Single),
            (r'"[^"\n]*"', String),
            (r"\s+", Text),
            (r"[%][\w$.#-]+", Name.Variable),
            (r"\^[\w$.-]+", Name.Label),
            (r'@(?:[\w$.-]+|"[^"]*")', Name.Function),
            (r"[#!][a-zA-Z_][\w$.]*", Name.Attribute),
            (r"0x[0-9a-fA-F]+", Number.Hex),
            (r"-?\d+(?:\.\d*(?:[eE][-+]?\d+)?)?(?![\w])", Number),
            (r"(?:tensor|memref|vector)(?=<)", Keyword.Type),
            # Sizes of a shape, and what follows the last one.
            (r"(?:(?:\d+|\?)x)+", Literal),
            (r"(?:[us]?i\d+|[bt]?f\d+\w*|index|none)\b", Keyword.Type),
            (r"[a-zA-Z_][\w$]*\.[\w$.]+", Name.Function),
            (r"(?:true|false|unit|dense|loc|module|attributes|affine_map|affine_set)\b", Keyword),
            (r"[a-zA-Z_][\w$]*", Name),
            (r"->|::|[-+*/=<>?|&.]", Operator),
            (r"[][(){},:;]", Punctuation),
            include("rest"),
        ],
        "rest": [(r".", Text)],
    }


class LocalLinks(SphinxTransform):
    """Links to folders, which a site does not have, become their text, and those to files of the repository that are no page
    become their text, too: the site has no copies of sources."""

    default_priority = 5  # before references are looked up

    def apply(self):
        here = Path(self.env.doc2path(self.env.docname)).parent
        # Downloads are references, too.
        for node in [*self.document.findall(pending_xref), *self.document.findall(nodes.reference)]:
            target = node.get("reftarget") or node.get("refuri", "")
            if not target or re.match(r"\w+:", target):
                continue
            path = here / target.partition("#")[0]
            if path.is_dir() or (path.is_file() and path.suffix != ".md"):
                node.replace_self(nodes.inline("", "", *node.children))


def list_arguments(app, what, name, obj, options, lines):
    """Docstrings tell of arguments in lines "name: text", or several of them in one line. On the site each is an item."""
    names = set(inspect.signature(obj).parameters) if what == "function" else set(dir(obj))
    items, inside = [], False
    for line in lines:
        # A sentence ends before the name of another argument.
        for part in re.split(r"(?<=\.) (?=(?:\w+, )*\w+: )", line):
            start = re.match(r"((?:\w+, )*\w+): (.*)", part)
            if start and (part == line or set(start[1].split(", ")) <= names):
                items += [*[""] * (not inside), "- " + ", ".join(f"**{n}**" for n in start[1].split(", ")) + f": {start[2]}"]
                inside = True
            elif not part:
                items.append("")
                inside = False
            elif inside:
                items.append("  " + part.strip())
            elif part == line or not items:
                items.append(part)
            else:
                items[-1] += " " + part
    lines[:] = items


def setup(app):
    app.add_lexer("mlir", MLIRLexer)
    app.connect("autodoc-process-docstring", list_arguments)
    app.add_transform(LocalLinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
