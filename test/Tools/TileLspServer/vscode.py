#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The extension for VS Code names what there is, and colours specifications.

    vscode.py EXTENSION BIN PROGRAMS

Its grammar is applied as an editor does, pattern by pattern at each place, to the
specifications of PROGRAMS; each character has to get its colour.
"""

import json
import re
import sys
from pathlib import Path

# What each character of a specification is, by the grammar of specifications.
KINDS = {"arrow": "->", "table": None, "numeric": "0123456789", "arithmetic": "+-*/%", "index": None}
PLAIN = " ,()[]"


def colours(patterns, text):
    """Pairs of a name and the piece that has it, in the order of the text."""
    at = 0
    while at < len(text):
        matches = [(m.start(), i, m, name) for i, (pattern, name) in enumerate(patterns) if (m := pattern.search(text, at))]
        start, _, match, name = min(matches, default=(len(text), 0, None, None), key=lambda m: m[:2])
        yield None, text[at:start]
        if match:
            yield name.split(".")[-2], match[0]
        at = match.end() if match else len(text)


def main():
    extension, tools, programs = map(Path, sys.argv[1:])
    manifest = json.loads((extension / "package.json").read_text())
    contributes = manifest["contributes"]
    # The setting is that of the extension of LLVM, which starts what it names.
    assert manifest["extensionDependencies"] == ["llvm-vs-code-extensions.vscode-mlir"]
    server = contributes["configurationDefaults"]["mlir.server_path"]
    assert (tools / server).is_file(), server

    (entry,) = contributes["grammars"]
    grammar = json.loads((extension / entry["path"]).read_text())
    assert grammar["scopeName"] == entry["scopeName"]
    (rule,) = grammar["patterns"]
    patterns = [(re.compile(p["match"]), p["name"]) for p in rule["patterns"]]
    text = programs.read_text() + '\n#a = #einsum.spec<"mk, kn -> mn">\n'
    specs = 0
    for begin in re.finditer(rule["begin"], text):
        end = re.compile(rule["end"], re.M).search(text, begin.end())
        assert end[0] == '"', text[begin.start():end.end()]
        pieces = list(colours(patterns, text[begin.end():end.start()]))
        for name, piece in pieces:
            if name == "table":
                assert re.fullmatch(r"\w+", piece), pieces
            elif name == "index":
                assert re.fullmatch("[a-zA-Z]", piece), pieces
            elif name:
                assert piece == KINDS[name] or all(c in KINDS[name] for c in piece), pieces
            else:
                assert all(c in PLAIN for c in piece), pieces
        assert [name for name, _ in pieces].count("arrow") == 1, pieces
        specs += 1
    assert specs == len(re.findall(r'einsum\.(?:contract|spec<)\s*"', text)) > 40
    print(f"the extension starts {server}; {specs} specifications are coloured")


if __name__ == "__main__":
    main()
