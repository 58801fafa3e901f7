# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sources are small, and so are folders.

    sizes.py SOURCE

Nine sources in ten have at most 350 lines, and none has more than 700; no folder
has more than 40.
"""

import sys
from collections import Counter
from pathlib import Path

SUFFIXES = {".c", ".cpp", ".h", ".def", ".td", ".py", ".sh"}
MOST_OF_NINE_IN_TEN, MOST, MOST_IN_FOLDER = 350, 700, 40


def main():
    root = Path(sys.argv[1])
    # Not build folders, nor what packages were unpacked to.
    files = [file for part in sorted(root.iterdir()) if part.is_dir() and not part.name.startswith((".", "build"))
             for file in part.rglob("*") if file.suffix in SUFFIXES and file.is_file()]
    lines = sorted((file.read_bytes().count(b"\n"), file) for file in files)
    wrong = [f"{file.relative_to(root)} has {count} lines: expected at most {MOST}"
             for count, file in lines if count > MOST]
    folders = Counter(file.parent for file in files)
    wrong += [f"{folder.relative_to(root)} has {count} sources: expected at most {MOST_IN_FOLDER}"
              for folder, count in sorted(folders.items()) if count > MOST_IN_FOLDER]
    ninth = lines[len(lines) * 9 // 10][0]
    if ninth > MOST_OF_NINE_IN_TEN:
        wrong.append(f"nine sources in ten have at most {ninth} lines: expected at most {MOST_OF_NINE_IN_TEN}")
    print("\n".join([*wrong, f"{len(files)} sources, nine in ten of at most {ninth} lines, {len(wrong)} wrong"]))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
