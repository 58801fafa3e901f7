# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What compiles does not link what runs, and tables and costs link no dialect.

    layers.py BUILD

CMake writes into BUILD/links.txt what each library and tool links; here are the
pairs that must not be, neither directly nor by way of others.
"""

import re
import sys
from pathlib import Path

RUNS = "TileIR(Simulator|SimulatorRuntime|CudaRuntime|Interpreter|Execution)"
PASSES = r"TileIR\w*(Transforms|To[A-Z]\w*|Lowering|Pipelines|TileConfigSelection)"
DIALECTS = "TileIR(Einsum|Tile)"
FORBIDDEN = [
    ("tile-opt|tile-translate", RUNS),
    (f"TileIRPTX|{PASSES}", RUNS),
    (r"TileIRInterpreter|TileIR\w*Runtime", PASSES),
    ("TileIR(Simulator|Layout|Gpu|Cpu)", f"{PASSES}|{DIALECTS}"),
    ("TileIR(Layout|Gpu|Cpu)", "TileIRSimulator"),
    ("TileIRTritonCSyntax", "TileIR.*"),
    ("TileIRTritonC", f"{RUNS}|{PASSES}"),
]


def way(links, start, forbidden):
    """A shortest chain of links from `start` to one that is forbidden, or None."""
    chains, seen = [[start]], {start}
    for chain in chains:
        for name in links.get(chain[-1], ()):
            if re.fullmatch(forbidden, name):
                return [*chain, name]
            if name not in seen:
                seen.add(name)
                chains.append([*chain, name])
    return None


def main():
    lines = [line.split() for line in (Path(sys.argv[1]) / "links.txt").read_text().splitlines()]
    links = {name: linked for name, *linked in lines}
    wrong = []
    for users, forbidden in FORBIDDEN:
        matching = [name for name in links if re.fullmatch(users, name)]
        if not matching and len(links) > 20:
            wrong.append(f"nothing is named {users}: expected the layers to be those of the build")
        chains = [way(links, name, forbidden) for name in matching]
        wrong += [f"{' -> '.join(chain)}: expected {chain[0]} not to need {chain[-1]}" for chain in chains if chain]
    print("\n".join([*wrong, f"{len(links)} libraries and tools, {len(wrong)} links wrong"]))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
