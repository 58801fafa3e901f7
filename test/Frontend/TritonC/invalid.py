# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what tile-translate says of wrong Triton-C programs: places, ranges and words, all of them.

    invalid.py TILE_TRANSLATE CASES FOLDER [--update]

CASES has programs, each behind a line "=== name [-Doption...]"; the messages stand behind a line "---", as

    2:9 8-12 error: expected ...

for line 2, column 9, with the columns 8 to 12 marked. With --update, what is said now is written into the file, to be
read before it is committed.
"""

import re
import shlex
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "Integration"))
import batch

MESSAGE = re.compile(r"(?:.*/)?(?P<file>[^/:]+):(?P<line>\d+):(?P<column>\d+): (?P<text>(?:error|note|warning): .*)")


def messages(output):
    """The messages of an output, in the form of the file."""
    lines = output.splitlines()
    result = []
    for i, line in enumerate(lines):
        match = MESSAGE.match(line)
        if not match:
            if line.startswith(("error:", "more errors", "PLEASE", "Stack dump")):
                result.append(line)
            continue
        marked = lines[i + 2] if i + 2 < len(lines) else ""
        where = f"{match['line']}:{match['column']}"
        # LLVM marks nothing in lines with other characters than those of ASCII.
        if lines[i + 1].isascii():
            span = re.search(r"[~^]+", marked)
            assert span and marked[int(match["column"]) - 1] == "^", f"no caret below: {line}"
            where += f" {span.start() + 1}-{span.end()}"
        if match["file"] == "command line":
            where = "-D " + where
        result.append(f"{where} {match['text']}")
    return result


def main():
    tool, path, folder, *update = sys.argv[1:]
    Path(folder).mkdir(parents=True, exist_ok=True)
    texts = re.split(r"^=== ", Path(path).read_text(), flags=re.M)
    wrong, names, written = 0, set(), [texts[0]]
    for text in texts[1:]:
        head, _, rest = text.partition("\n")
        program, _, expected = rest.partition("\n---\n")
        name, *options = shlex.split(head)
        names.add(name)
        file = Path(folder) / f"{name}.c"
        file.write_text(program + "\n")
        status, output = batch.run([tool, "--import-triton-c", file, *options])
        found = messages(output)
        written.append(f"{head}\n{program}\n---\n" + "".join(f"{line}\n" for line in found) + "\n")
        if status != 1 or found != expected.strip().splitlines():
            wrong += 1
            print(f"FAILED {name}: status {status}, found", *found, sep="\n  ")
    if update:
        Path(path).write_text("=== ".join(written).rstrip("\n") + "\n")
    print(f"{len(names)} programs, {wrong} with other messages")
    sys.exit(wrong != 0 or len(names) != len(texts) - 1)


if __name__ == "__main__":
    main()
