"""Extended einsums by NumPy, from their definition: what results are compared with.

All elements are small whole numbers, so that sums are exact in any order, and results are compared for equality.
"""
import re

import numpy as np


def split_axes(term):
    """The index expressions of an operand: "nc(h+r)" has three."""
    return [part[1:-1] if part[0] == "(" else part for part in re.findall(r"\([^()]*\)|\w", term)]


def split_spec(spec):
    """The operands' lists of axes, and the letters of the result."""
    left, result = spec.split("->")
    terms = re.split(r",(?![^\[(]*[\])])", left)
    return [split_axes(term) for term in terms], result.strip()


def find_letters(axes):
    """In the order in which they are read; names of tables are no letters."""
    found = re.findall(r"\b[a-z]\b", " ".join(axes))
    return "".join(dict.fromkeys(found))


def gather(operand, axes, sizes, tables, pad):
    """The operand as a function of its letters."""
    letters = find_letters(axes)
    if all(len(axis) == 1 for axis in axes):
        return operand, letters
    grid = np.meshgrid(*(np.arange(sizes[letter]) for letter in letters), indexing="ij", sparse=True)
    values = dict(zip(letters, grid))
    indices, inside = [], True
    for axis, size in zip(axes, operand.shape):
        # What stands there is what Python reads, but for the comma of a table.
        index = eval(axis, {"__builtins__": {}}, values | tables)  # pylint: disable=eval-used
        if pad:
            inside = inside & (index >= 0) & (index < size)
            index = np.clip(index, 0, size - 1)
        indices.append(index)
    gathered = operand[tuple(indices)]
    return (np.where(inside, gathered, 0) if pad else gathered), letters


def compute(spec, operands, sizes, tables, pad=False):
    terms, result = split_spec(spec)
    parts = [gather(operand, axes, sizes, tables, pad) for operand, axes in zip(operands, terms)]
    text = ",".join(letters for _, letters in parts) + "->" + result
    return np.einsum(text, *(array for array, _ in parts), optimize=True)


def find_sizes(spec, shapes, known):
    """Sizes of all letters, from axes that are single ones."""
    sizes = dict(known)
    terms, _ = split_spec(spec)
    for axes, shape in zip(terms, shapes):
        for axis, size in zip(axes, shape):
            if len(axis) == 1:
                sizes.setdefault(axis, size)
    return sizes


def find_shape(axes, sizes):
    """That of an operand without padding or tables: what its largest index needs."""
    last = {letter: size - 1 for letter, size in sizes.items()}
    return [eval(axis, {"__builtins__": {}}, last) + 1 for axis in axes]  # pylint: disable=eval-used


def round_bf16(values):
    """The bits of the nearest bf16, to even: of finite f32 values."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7fff + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def draw(generator, shape, type_name, most=2):
    values = generator.integers(-most, most + 1, shape)
    if type_name == "bf16":
        return round_bf16(values.astype(np.float32))
    return values.astype({"f32": np.float32, "f64": np.float64, "i8": np.int8}[type_name])
