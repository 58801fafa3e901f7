# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A namespace per library: a header declares in the namespace of its library, or it is a door.

    namespaces.py SOURCE

Only forward declarations may stand in other namespaces, and what TableGen makes
of passes, which is included, stays in `tileir`, as upstream's stays in `mlir`.
"""

import sys
from pathlib import Path

from definitions import matching, tokens

# The folder of a library, under include/tileir and lib alike, and its namespace. A dialect and the layouts are several
# libraries of one subject each. `tileir::gpu` would be ambiguous where `mlir` is used, too.
NAMESPACES = {
    "Conversion/AMXToLLVM": "tileir::amx_to_llvm",
    "Conversion/EinsumLowering": "tileir::lowering",
    "Conversion/EinsumToAffine": "tileir::to_affine",
    "Conversion/EinsumToTile": "tileir::to_tile",
    "Conversion/EinsumToVector": "tileir::to_vector",
    "Conversion/LinalgToEinsum": "tileir::to_einsum",
    "Conversion/DotToLLVM": "tileir::dot_to_llvm",
    "Conversion/LinalgToTile": "tileir::linalg_to_tile",
    "Conversion/TileConfigSelection": "tileir::config_selection",
    "Conversion/TileLowering": "tileir::tile_lowering",
    "Conversion/TileToGPU": "tileir::to_gpu",
    "Conversion/LinalgToVector": "tileir::linalg_to_vector",
    "Conversion/TileToLinalg": "tileir::to_linalg",
    "Conversion/TritonToTile": "tileir::triton_to_tile",
    "Dialect/Einsum": "tileir::einsum",
    "Dialect/GPU": "tileir::gpu_transforms",
    "Dialect/MemRef": "tileir::memref_transforms",
    "Dialect/Math": "tileir::math_transforms",
    "Dialect/SCF": "tileir::scf_transforms",
    "Dialect/Tile": "tileir::tile",
    "Dialect/Triton": "tileir::triton",
    "Execution": "tileir::execution",
    "Frontend/TritonC": "tileir::triton_c",
    "Interpreter": "tileir::interp",
    "Layout": "tileir::layout",
    "Pipelines": "tileir::pipelines",
    "Runtime": "tileir::runtime",
    "Simulator": "tileir::sim",
    "Target/Cpu": "tileir::machine",
    "Target/Gpu": "tileir::machine",
    "Target/PTX": "tileir::ptx",
    "TensorOperation": "tileir::tensor_operation",
    "Tune": "tileir::tune",
}
# By which programs come in, and what all libraries share: these declare in `tileir`.
DOORS = {
    "include/tileir/InitAllDialects.h", "include/tileir/InitAllPasses.h", "include/tileir/Dialect/Contract.h",
    "include/tileir/Dialect/Einsum/IR/RuntimeChecks.h", "include/tileir/Interpreter/Interpreter.h",
    "include/tileir/Pipelines/Pipelines.h", "include/tileir/TensorOperation/TensorOperation.h",
}


def declarations(text):
    """Triples of a namespace, a line and the words of what is declared there, without what is in braces."""
    stream, spaces, words, i = list(tokens(text)), [], [], 0
    start = 0
    while i < len(stream):
        token, line = stream[i]
        start = start if words else line
        if token == "}":
            spaces.pop()
        elif token == ";":
            if words:
                yield "::".join(filter(None, spaces)), start, words
            words = []
        elif token == "{" and "namespace" in words:
            spaces.append("".join(words[words.index("namespace") + 1:]))
            words = []
        elif token == "{" and words == ["extern", '""']:
            spaces.append("")
            words = []
        elif token == "{":
            i = matching(stream, i)
            words.append("{}")
            # The end of a function; a type and a variable go on to a semicolon.
            if ")" in words and not (i + 1 < len(stream) and stream[i + 1][0] in (";", ",", "{")):
                yield "::".join(filter(None, spaces)), start, words
                words = []
        else:
            words.append(token)
        i += 1


def is_forward(words):
    """class Name, or a C function, which has no namespace."""
    return (words[0] in ("class", "struct") and len(words) == 2) or words[:2] == ["extern", '""']


def library(place):
    """The folder of NAMESPACES that a header is in, or None."""
    inner = place.removeprefix("lib/").removeprefix("include/tileir/")
    return next((folder for folder in NAMESPACES if inner.startswith(folder + "/")), None)


def main():
    root = Path(sys.argv[1])
    wrong, headers, used = [], 0, set()
    for path in sorted([*(root / "include/tileir").rglob("*.h"), *(root / "lib").rglob("*.h")]):
        place = path.relative_to(root).as_posix()
        folder = library(place)
        expected = NAMESPACES.get(folder, "the namespace of a library that test/Tree/namespaces.py lists")
        headers += 1
        for space, line, words in declarations(path.read_text()):
            if is_forward(words) or (place in DOORS and space == "tileir"):
                used.add(place)
            elif folder and f"{space}::".startswith(f"{expected}::"):
                used.add(folder)
            else:
                wrong.append(f"{place}:{line}: declares in {space or 'no namespace'}: expected {expected}")
    if headers > 20:
        wrong += [f"{name} declares nothing in its namespace: expected no line for it in test/Tree/namespaces.py"
                  for name in sorted({*NAMESPACES, *DOORS} - used)]
    print("\n".join([*wrong, f"{headers} headers, {len(wrong)} wrong"]))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
