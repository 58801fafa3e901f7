"""Checks that matrix instructions are named in the table of atoms, their emitters and the simulator only.

    atoms.py SOURCES

Everything else asks an atom (include/tileir/Layout/Fragments/MmaAtom.h). The instructions are those that the table
names; comments count, for what holds for one instruction only belongs to its entry.
"""

import pathlib
import re
import sys

TABLE = "lib/Layout/Fragments/AtomTable.cpp"
ALLOWED = (TABLE, "include/tileir/Layout/Fragments/MmaAtom.h", "include/tileir/Dialect/Tile/IR/TileAttrs.td",
           "lib/Conversion/TileToGPU/MmaEmitters.cpp", "lib/Target/Gpu/Gpu.cpp", "lib/Simulator/",
           "include/tileir/Simulator/")


def main(root):
    instructions = set(re.findall(r'"(m\d+n\d+k\d+)_', (root / TABLE).read_text()))
    if not instructions:
        sys.exit(f"{TABLE}: expected atoms named after instructions, as \"m8n8k4_f64\"")
    pattern = re.compile("|".join(sorted(instructions)) + r"|mma884", re.IGNORECASE)
    found = []
    for folder in ("lib", "include"):
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if not path.is_file() or name.startswith(ALLOWED):
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if pattern.search(line):
                    found.append(f"{name}:{number}: expected an atom to be asked, found {line.strip()}")
    print("\n".join(found) or f"{', '.join(sorted(instructions))}: named in its place only")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
