# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The idioms of docs/einsum.md with operands of small integers, and what the NumPy expression beside each gives."""

import re
import sys
from pathlib import Path

import numpy as np

from tileir._specification import get_tables

ROOT = Path(sys.argv.pop())
sys.path.insert(0, str(ROOT / "test/Docs"))
import idioms  # noqa: E402  (for its readers of the page and of the programs)


def draw_all():
    """For each idiom of the page its specification, operands, tables, options and result."""
    rows = {(spec, attributes): expression
            for spec, attributes, expression in idioms.ROW.findall((ROOT / "docs/einsum.md").read_text())}
    programs = (ROOT / "test/Docs/idioms.mlir").read_text()
    rng = np.random.default_rng(1)
    seen = set()
    for text in programs.split("func.func")[1:]:
        key = spec, attributes = idioms.CONTRACT.search(text).groups(default="")
        program = idioms.oracle.Program.parse("func.func" + text)
        options = {"pad": "zero"} if "zero" in attributes else {}
        if "sizes" in attributes:
            options["sizes"] = {"r": 2, "s": 2}
        tables = get_tables(spec)
        names = re.findall(r"%(\w+)", re.search(r'einsum\.contract "[^"]*" \(([^)]*)\)', text)[1])
        drawn = {a.name: np.asarray(idioms.draw(a, rng)) for a in program.arguments}
        expected = np.asarray(eval(rows[key], idioms.NAMES | {
            name: x if name in tables else x.astype(np.float64) for name, x in drawn.items()}))
        # Slices are as long as the result.
        options.setdefault("sizes", dict(zip(spec.partition("->")[2].strip(), program.types[0].shape)))
        yield spec, [drawn[name] for name in names], {name: drawn[name].astype(np.int64) for name in tables}, options, expected
        seen.add(key)
    assert seen == rows.keys() and len(seen) > 40
