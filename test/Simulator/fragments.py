"""Which elements of A (m, k), B (k, n) and C (m, n) each lane holds in the registers of an mma instruction.

A coordinate is the sum of a part of the lane and a part of the element. Parts of the lane are sums of the symbols

    g = lane / 4, t = lane % 4, hi = lane / 16, q0 = lane / 4 % 2, q1 = lane / 8 % 2

with coefficients. m8n8k4, which multiplies four independent pairs of 8x4 matrices (one in each "quad pair" of lanes),
is described as one 16x16x4 product: quad pair q takes rows 8 (q % 2) and columns 8 (q / 2).
"""
from dataclasses import dataclass

SYMBOLS = {"g": "lane >> 2", "t": "lane & 3", "hi": "lane >> 4", "q0": "lane >> 2 & 1", "q1": "lane >> 3 & 1"}


def symbol(name, lane):
    return eval(SYMBOLS[name], {"lane": lane})  # of the table above


@dataclass
class Fragment:
    rows: dict       # the lane's part of the first coordinate: symbol -> coefficient
    columns: dict    # of the second
    elements: list   # [(row, column)] of the elements, in the order of the registers

    def at(self, lane, i):
        return (sum(symbol(s, lane) * c for s, c in self.rows.items()) + self.elements[i][0],
                sum(symbol(s, lane) * c for s, c in self.columns.items()) + self.elements[i][1])


@dataclass
class Mma:
    """An instruction: its shape, that of the product it is described as, its types, its fragments."""
    shape: tuple       # (m, n, k) as PTX has it
    tile: tuple        # (m, n, k) of the whole warp
    element: str       # f16, bf16, tf32, s8
    accumulator: str   # f32, f16, s32
    layouts: tuple     # of A and B: row or col
    a: Fragment
    b: Fragment
    c: Fragment
    chip: str

    @property
    def element_bytes(self):
        return {"f16": 2, "bf16": 2, "tf32": 4, "s8": 1}[self.element]


def get_mma(name, element="f16", accumulator="f32", a="row", b="col"):
    """The instruction `name`, "m16n8k16"; layouts other than row and col exist for m8n8k4 only."""
    shape = tuple(map(int, name.replace("m", "").replace("n", " ").replace("k", " ").split()))
    c16 = Fragment({"g": 1}, {"t": 2}, [(8 * (i >> 1), i & 1) for i in range(4)])
    if name == "m8n8k4":
        outer, across = {"t": 1, "hi": 4}, range(4)
        fa = (Fragment({**outer, "q0": 8}, {}, [(0, i) for i in across]) if a == "row" else
              Fragment({"hi": 4, "q0": 8}, {"t": 1}, [(i, 0) for i in across]))
        fb = (Fragment({}, {**outer, "q1": 8}, [(i, 0) for i in across]) if b == "col" else
              Fragment({"t": 1}, {"hi": 4, "q1": 8}, [(0, i) for i in across]))
        if accumulator == "f16":
            fc = Fragment({**outer, "q0": 8}, {"q1": 8}, [(0, i) for i in range(8)])
        else:  # t & 1 and t & 2 are t's two bits
            fc = Fragment({"t&1": 1, "hi": 4, "q0": 8}, {"t&2": 1, "q1": 8},
                          [(i & 2, (i & 4) + (i & 1)) for i in range(8)])
        return Mma(shape, (16, 16, 4), element, accumulator, (a, b), fa, fb, fc, "sm_70")
    if (a, b) != ("row", "col"):
        raise ValueError(f"{name} has no layouts {a} and {b}")
    if (name, element) == ("m16n8k16", "s8"):
        fa = Fragment({"g": 1}, {"t": 4}, [(8 * (i >> 2), i & 3) for i in range(8)])
        fb = Fragment({"t": 4}, {"g": 1}, [(i, 0) for i in range(4)])
    elif (name, element) == ("m8n8k16", "s8"):
        fa = Fragment({"g": 1}, {"t": 4}, [(0, i) for i in range(4)])
        fb = Fragment({"t": 4}, {"g": 1}, [(i, 0) for i in range(4)])
        c16 = Fragment({"g": 1}, {"t": 2}, [(0, i) for i in range(2)])
    elif name == "m16n8k16":
        fa = Fragment({"g": 1}, {"t": 2}, [(8 * (i >> 1 & 1), (i & 1) + 8 * (i >> 2)) for i in range(8)])
        fb = Fragment({"t": 2}, {"g": 1}, [((i & 1) + 8 * (i >> 1), 0) for i in range(4)])
    elif (name, element) == ("m16n8k8", "tf32"):
        fa = Fragment({"g": 1}, {"t": 1}, [(8 * (i & 1), 4 * (i >> 1)) for i in range(4)])
        fb = Fragment({"t": 1}, {"g": 1}, [(4 * i, 0) for i in range(2)])
    elif (name, element) == ("m16n8k4", "tf32"):
        fa = Fragment({"g": 1}, {"t": 1}, [(8 * i, 0) for i in range(2)])
        fb = Fragment({"t": 1}, {"g": 1}, [(0, 0)])
    elif name == "m16n8k8":
        fa = Fragment({"g": 1}, {"t": 2}, [(8 * (i >> 1), i & 1) for i in range(4)])
        fb = Fragment({"t": 2}, {"g": 1}, [(i, 0) for i in range(2)])
    else:
        raise ValueError(f"no instruction {name} of {element}")
    return Mma(shape, shape, element, accumulator, (a, b), fa, fb, c16, "sm_80")


SYMBOLS |= {"t&1": "lane & 1", "t&2": "lane & 2"}
