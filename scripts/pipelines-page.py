#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the page on pipelines and their options, as tile-opt knows them: those that mlir-opt has not.

    scripts/pipelines-page.py TILE_OPT MLIR_OPT
"""

import re
import subprocess
import sys

# "      --name=<kind>   - text", of a pipeline; deeper, of an option; "    =value  -   text", of an option's value.
LINE = re.compile(r"(?P<indent> +)(?:--(?P<name>[\w-]+)(?:=<(?P<kind>[^>]*)>)?|=(?P<value>[\w-]+)) +- +(?P<text>.*)")


def pipelines(tool):
    """Of each pipeline in a tool's help: its summary and its options."""
    text = subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout
    found, current = {}, None
    for line in text[text.index("Pass Pipelines:"):].splitlines()[1:]:
        match = LINE.fullmatch(line)
        if not match or len(match["indent"]) < 4:
            break
        if match["value"]:
            current[1][-1][1].append((match["value"], match["text"]))
        elif len(match["indent"]) == 6:
            current = found[match["name"]] = match["text"], []
        else:
            current[1].append((match["name"], [], match["kind"], match["text"]))
    return found


def cell(text):
    return text.replace("|", "\\|")


def main():
    ours, theirs = map(pipelines, sys.argv[1:])
    if not ours.keys() - theirs.keys():
        sys.exit(f"{sys.argv[1]} --help names no pipeline that {sys.argv[2]} --help does not")
    print("""<!-- Written by scripts/gen-docs.sh from what tile-opt --help says: change the options in
include/tileir/Pipelines/Pipelines.h. -->

# Pipelines

Each is an option of `tile-opt`, and a name in the text of `--pipeline` and `--pass-pipeline`, with its options in
braces: `einsum-to-cpu-pipeline{checks=all openmp=0}`. [architecture.md](architecture.md) says what they are made of.""")
    for name, (summary, options) in sorted(ours.items()):
        if name in theirs:
            continue
        print(f"\n## `{name}`\n\n{summary}.")
        if options:
            print("\n| option | meaning |\n|---|---|")
        for option, values, kind, text in options:
            if values:
                text += ": " + "; ".join(f"`{value}`, {meaning}" for value, meaning in values)
            shown = f"{option}=<{kind}>" if kind and kind != "value" else option
            print(f"| `{shown}` | {cell(text)} |")


if __name__ == "__main__":
    main()
