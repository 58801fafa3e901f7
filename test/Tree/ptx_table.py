"""Compares the table of PTX instructions in docs/simulator.md with those that lib/Simulator/PTX lifts.

    ptx_table.py SOURCE_FOLDER
"""
import pathlib
import re
import sys

TYPE = re.compile(r"[subf]\d+(x2)?|bf16(x2)?|pred")


def main():
    root = pathlib.Path(sys.argv[1])
    lifted = set()
    for source in (root / "lib/Simulator/PTX").glob("Lift*.cpp"):
        lifted |= set(re.findall(r'\{"([a-z0-9]+)",\s*\d+,\s*\d+,', source.read_text()))
    section = (root / "docs/simulator.md").read_text().split("\n### PTX\n")[1]
    rows = re.findall(r"^\| \w+ \|(.*)\|$", section.split("\n\nOperands are")[0], re.M)
    words = {word.split(".")[0] for row in rows for word in re.findall(r"`([^`]+)`", row)}
    documented = {word for word in words if word and not TYPE.fullmatch(word)} - {"llvm"}
    for name in sorted(lifted - documented):
        print(f"docs/simulator.md: '{name}' is lifted, but not in the table of PTX instructions")
    for name in sorted(documented - lifted):
        print(f"docs/simulator.md: '{name}' is in the table of PTX instructions, but not lifted")
    return lifted != documented or not lifted


if __name__ == "__main__":
    sys.exit(main())
