# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that pictures are well-formed and have so many cells: svg_cells.py PICTURE CELLS ..."""

import sys
import xml.etree.ElementTree as ElementTree

SVG = "{http://www.w3.org/2000/svg}"
for path, expected in zip(sys.argv[1::2], map(int, sys.argv[2::2])):
    root = ElementTree.parse(path).getroot()
    assert root.tag == SVG + "svg", root.tag
    cells = [group for group in root.iter(SVG + "g") if group.get("class") == "cell"]
    assert len(cells) == expected, f"{path}: expected {expected} cells, found {len(cells)}"
    places = {(cell.find(SVG + "rect").get("x"), cell.find(SVG + "rect").get("y")) for cell in cells}
    assert len(places) == expected, f"{path}: cells lie on each other"
