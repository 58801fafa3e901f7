"""Compares benchmarks/cpu/reference.py with plain loops, and draws the report of made-up rows."""
import itertools
import pathlib
import re
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "benchmarks/cpu"))
import reference  # noqa: E402
import rows  # noqa: E402
import torch_baseline  # noqa: E402


def compute_plainly(computation, operands):
    """One element after the other."""
    sizes = computation.all_sizes()
    left, result_letters = computation.spec.split("->")
    result_letters = result_letters.strip()
    terms = re.split(r", ", left.strip())
    summed = [letter for letter in sizes if letter not in result_letters]
    result = np.zeros([sizes[letter] for letter in result_letters])
    for place in itertools.product(*(range(sizes[letter]) for letter in result_letters)):
        for rest in itertools.product(*(range(sizes[letter]) for letter in summed)):
            values = dict(zip(result_letters, place)) | dict(zip(summed, rest)) | computation.tables
            product = 1.0
            for term, operand in zip(terms, operands):
                axes = re.findall(r"\((.*?)\)(?=\(|\w|$)|(\w)", term.strip())
                index = [eval(a or b, {}, values) for a, b in axes]  # pylint: disable=eval-used
                inside = all(0 <= i < size for i, size in zip(index, operand.shape))
                assert inside or computation.pad, (term, index)
                product *= operand[tuple(index)] if inside else 0
            result[place] += product
    return result


def shrink(computation):
    """The same with small sizes; tables keep their values where they can."""
    sizes = {letter: min(size, 4 if letter in "hw" else 3) for letter, size in computation.all_sizes().items()}
    tables = {name: table[tuple(slice(0, min(3, size)) for size in table.shape)]
              for name, table in computation.tables.items()}
    terms, _ = reference.split_spec(computation.spec)
    shapes = []
    for axes in terms:
        reach = {name: int(table.max()) for name, table in tables.items()}
        shapes.append([sizes[axis] if len(axis) == 1 else
                       4 if computation.pad else
                       reference.find_shape([re.sub(r"(\w+)\[[^]]*\]", lambda m: str(reach[m[1]]), axis)], sizes)[0]
                       for axis in axes])
    return rows.Computation(computation.spec, shapes, sizes, tables=tables, pad=computation.pad)


def main():
    generator = np.random.default_rng(1)
    count = 0
    seen = set()
    for row in rows.make_rows(torch_baseline.find_variants):
        for computation, _ in row.parts:
            if computation.spec in seen and not computation.pad:
                continue
            seen.add(computation.spec)
            small = shrink(computation)
            operands = [reference.draw(generator, shape, "f64") for shape in small.shapes]
            found = reference.compute(small.spec, operands, small.all_sizes(), small.tables, small.pad)
            expected = compute_plainly(small, operands)
            assert expected.any(), row.title
            assert found.shape == expected.shape and (found == expected).all(), row.title
            count += 1
    print(f"{count} specifications agree")


main()
