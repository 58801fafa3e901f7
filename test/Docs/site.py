# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What 'make docs' would complain about and needs no Sphinx to see, and what it does not see.

    site.py SOURCE

Each page is in one table of contents, and what is there is a page; code is of a
language that has a lexer; the Python reference has all that the package exports.
"""

import ast
import re
import sys
from pathlib import Path

LANGUAGES = {"", "c", "cmake", "cpp", "json", "mlir", "python", "sh", "text", "yaml"}
TOCTREE = re.compile(r"^```\{toctree\}\n(.*?)^```$", re.M | re.S)
FENCE = re.compile(r"^ *```(\{?[\w-]*\}?)[^\n]*\n.*?^ *```$", re.M | re.S)
DIRECTIVES = {"docs/index.md": {"{toctree}"}, "docs/python-reference.md": {"{eval-rst}"}}


def main():
    root = Path(sys.argv[1])
    pages = {path.relative_to(root).as_posix() for pattern in ("*.md", "docs/**/*.md", "editors/*/*.md") for path in root.glob(pattern)}
    index = (root / "docs/index.md").read_text()
    listed = [(root / "docs" / re.sub(r".*<(.*)>", r"\1", line)).resolve().relative_to(root.resolve()).as_posix() + ".md"
              for tree in TOCTREE.findall(index) for line in tree.splitlines() if line and not line.startswith(":")]
    wrong = [f"{page}: expected in a table of contents in docs/index.md" for page in sorted(pages - {*listed, "docs/index.md"})]
    wrong += [f"docs/index.md lists {page}: no such page" for page in sorted(set(listed) - pages)]
    wrong += [f"docs/index.md lists {page} {listed.count(page)} times" for page in sorted(set(listed)) if listed.count(page) > 1]
    blocks = 0
    for page in sorted(pages):
        for language in FENCE.findall((root / page).read_text()):
            blocks += 1
            if language not in LANGUAGES | DIRECTIVES.get(page, set()):
                wrong.append(f"{page}: code of {language}: expected one of {', '.join(sorted(filter(None, LANGUAGES)))}")

    tree = ast.parse((root / "python/tileir/__init__.py").read_text())
    modules = next(ast.literal_eval(node.value) for node in tree.body if isinstance(node, ast.Assign) and node.targets[0].id == "_MODULES")
    names = {f"tileir.{name}" for names in modules.values() for name in names}
    tree = ast.parse((root / "python/tileir/ir.py").read_text())
    names |= {f"tileir.ir.{name}" for node in tree.body if isinstance(node, ast.Assign) and node.targets[0].id == "__all__"
              for name in ast.literal_eval(node.value)} - {"tileir.ir.Drawing"}
    told = set(re.findall(r"^\.\. auto\w+:: ([\w.]+)", (root / "docs/python-reference.md").read_text(), re.M))
    wrong += [f"docs/python-reference.md: expected {name}" for name in sorted(names - told)]
    print("\n".join([*wrong, f"{len(pages)} pages, {blocks} blocks of code, {len(names)} names of Python, {len(wrong)} wrong"]))
    return int(bool(wrong) or len(names) < 30)


if __name__ == "__main__":
    sys.exit(main())
