#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what the Markdown pages show.

- Each ```mlir block goes through tile-opt: whole functions and modules as they are,
  fragments in a function whose arguments are the values that they use but do
  not define (without contractions, tile-opt tells their types; kernels that are
  launched are declared). A fragment that leaves out the types of a contraction cannot be
  checked and is listed.
- In the generated reference each op and each pass has such a block.
- Each row | `specification` | message | under "What is refused" is refused with
  that message.
- Each relative link leads to a file, and to a heading where it names one.
"""

import argparse
import re
import shlex
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # leave no files in the source folder
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Integration"))
import batch  # noqa: E402

BLOCK = re.compile(r"^```mlir\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
REFERENCE = re.compile(r"^### `(-?[\w.-]+)`[^\n]*\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
REFUSED = re.compile(r"^\| `([^`]*)` \| (.*) \|$", re.MULTILINE)
TYPE = r"((?:tensor|memref)<[^>]*>)"
COMPLAINT = re.compile(r"page\.mlir:(\d+):(\d+): error: use of "
                       r"(?:undeclared SSA value name|value '%\w+' expects different type than prior uses: '(.*)' vs 'none')")
CONTRACT = re.compile(r'einsum\.contract "[^"]*" \((?P<operands>[^)]*)\)'
                      r"(?:\s+(?:tables|outs)\([^)]*\))*(?:\s+\{(?:[^{}]|\{[^}]*\})*\})?"
                      r"(?:\s*:\s*\((?P<types>[^)]*)\))?")


def wrap(text):
    """A fragment as a function; None if a contraction is without types."""
    types = {}
    for contract in CONTRACT.finditer(text):
        if contract["types"] is None:
            return None
        types.update(zip(re.findall(r"%\w+", contract["operands"]),
                         re.findall(TYPE, contract["types"])))
    # %a : type, in tables(...) and outs(...); %a[...] : type, of loads and stores
    types.update(re.findall(r"(%\w+)(?:\[[^\]]*\])? : " + TYPE, text))
    defined = re.findall(r"(%\w+) =", text)
    arguments = ", ".join(f"{v}: {t}" for v, t in types.items() if v not in defined)
    return f"func.func @fragment({arguments}) {{\n{text}return\n}}\n"


def wrap_by_complaints(command, text):
    """A fragment without contractions as a function. Each complaint of tile-opt about a value tells of an argument, first
    that there is one, then its type."""
    types = {}
    kernel = " attributes {tile.kernel}" if re.search(r"tile\.(program_id|num_programs)", text) else ""
    declared = "".join(f"func.func private {name}({kinds}) attributes {{tile.kernel}}\n"
                       for name, kinds in re.findall(r"tile\.launch (@\w+)[^:]*: (.*)", text))
    while True:
        arguments = ", ".join(f"{name}: {kind}" for name, kind in types.items())
        program = f"{declared}func.func @fragment({arguments}){kernel} {{\n{text}return\n}}\n"
        complaint = COMPLAINT.search(tile_opt(command, program)[1])
        if not complaint:
            return program
        line, column, kind = complaint.groups()
        name = re.match(r"%\w+", program.splitlines()[int(line) - 1][int(column) - 1:])[0]
        if types.get(name) not in (None, "none"):
            return program  # the complaint is a true one
        types[name] = kind or "none"


def tile_opt(command, text):
    """Exit status and messages for a program."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "page.mlir")
        path.write_text(text)
        return batch.run([*command, path, "--allow-unregistered-dialect", "-o", "/dev/null"])


def slug(heading):
    """The anchor that a heading gets."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def check_links(page, text, fail):
    for target in LINK.findall(re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)):
        if re.match(r"\w+:", target):
            continue
        name, _, anchor = target.partition("#")
        path = (page.parent / name).resolve() if name else page.resolve()
        if not path.exists():
            fail(f"{target}: no such file")
        elif anchor and anchor not in map(slug, re.findall(r"^#+ (.*)$", path.read_text(), re.M)):
            fail(f"{target}: no such heading")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-opt", required=True, type=shlex.split, help="command")
    parser.add_argument("source", type=Path, help="the repository")
    options = parser.parse_args()

    failures, parsed, untyped, refused, documented = [], 0, [], 0, 0
    for page in sorted([*options.source.glob("*.md"), *options.source.glob("docs/**/*.md")]):
        name, text = page.relative_to(options.source), page.read_text()

        def fail(what):
            failures.append(f"{name}: {what}")

        for block in BLOCK.findall(text):
            if re.search(r"(func|llvm|tt)\.func|\bmodule\b", block):
                program = block
            else:
                program = wrap(block) if "einsum." in block else wrap_by_complaints(options.tile_opt, block)
            if program is None:
                untyped.append(f"{name}: {block.splitlines()[0]}")
                continue
            status, messages = tile_opt(options.tile_opt, program)
            parsed += 1
            if status != 0:
                fail(f"does not parse:\n{program}{messages}")
        for entry, body in REFERENCE.findall(text):
            documented += 1
            if not BLOCK.search(body):
                fail(f"{entry}: no example")
        section = re.search(r"^## What is refused\n(.*?)(?=^## |\Z)", text, re.M | re.S)
        for spec, message in REFUSED.findall(section[1] if section else ""):
            _, messages = tile_opt(options.tile_opt, f'module attributes {{t.t = #einsum.spec<"{spec}">}} {{}}')
            refused += 1
            if f"error: {message}\n" not in messages:
                fail(f'"{spec}": expected {message}\nfound {messages}')
        check_links(page, text, fail)
    print("\n".join(failures))
    print(f"{parsed} examples parse, {documented} ops and passes, {refused} specifications refused, {len(failures)} failures; "
          f"without types: {untyped}")
    sys.exit(bool(failures) or parsed < 5 or refused < 5 or documented < 5)


if __name__ == "__main__":
    main()
