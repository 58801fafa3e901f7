# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of extended contractions, as extended contractions where that can be.

The gradient of an operand is a sum of products of the result's gradient and the other operands. Where the operand was read
at an axis e of letters, one letter of the result, with factor 1 or -1, is solved for: e = y gives h = y - r of e = h + r.
Read at it, with zeros outside, the result's gradient is what was written from y. For a factor S, as in S*h + r, y is two
letters: y = S*u + p, h = u - q, r = S*q + p. What is left, such as diagonals and look-ups alone, is added up where it
was read from (scattered).
"""

import string

from tileir._terms import Terms, get_bare, get_letters, get_sum, get_tables, make_sum, substitute, write_term


class Gradient:
    """The gradient of one operand as a contraction: `spec` of the result's gradient, of the operands `others`, and of
    vectors of ones of the sizes `ones`, with `sizes` and zeros outside if `padded`. The result has the sizes of `view` for
    each axis of the operand, which one of several is the product of, and is cropped to its shape."""

    def __init__(self, spec, others, ones, sizes, padded, view):
        used = Terms(spec)
        axes = [axis for term in used.operands for axis in term]
        letters = set(used.result).union(*map(get_letters, axes))
        self.spec, self.others, self.ones, self.padded, self.view = spec, others, ones, padded, view
        self.sizes = {letter: size for letter, size in sizes.items() if letter in letters}
        self.tables = sorted({name for axis in axes for name, _ in get_tables(axis)})


def derive(spec, operand, shape, sizes, padded):
    """The gradient of an operand of `shape`, or None if it has to be scattered. `sizes` are those of all letters."""
    terms = Terms(spec)
    others = [i for i in range(len(terms.operands)) if i != operand]
    axes = [list(terms.result), *(list(terms.operands[i]) for i in others)]
    own = terms.operands[operand]
    free = [c for c in string.ascii_letters if c not in spec]
    sizes, result, view, is_cropped, bounded = dict(sizes), "", [], padded, {}
    for number, axis in enumerate(own):
        elsewhere = "".join(get_letters(other) for i, other in enumerate(own) if i != number)
        bare = get_bare(axis)
        if bare and bare not in result:
            result += bare
            view.append((sizes[bare],))
            continue
        solved = _solve(axis, elsewhere, terms.result, shape[number], sizes, free)
        if solved is None:
            return None
        letters, extents, replaced = solved
        for letter, by in replaced.items():
            axes = [[substitute(other, letter, by) for other in term] for term in axes]
            if any(other is None for term in axes for other in term):
                return None
        bounded.update({letter: by for letter, by in replaced.items() if letter not in terms.result})
        result += letters
        view.append(extents)
        is_cropped = True
    # Letters that were solved for are bounded by what is read at them.
    ones = []
    for letter, by in bounded.items():
        if not any(letter in get_letters(axis) for i in others for axis in terms.operands[i]):
            axes.append([by])
            ones.append(sizes[letter])
    text = ", ".join(map(write_term, axes)) + " -> " + result
    return Gradient(text, others, ones, sizes, is_cropped, view)


def _solve(axis, elsewhere, result, size, sizes, free):
    """New letters for an axis, their sizes, and trees instead of letters; or None."""
    parts, constant = get_sum(axis)
    nested = {letter for part in parts if not isinstance(part, str) for letter in get_letters(part)}
    single = [part for part in parts if isinstance(part, str) and part not in elsewhere and part not in nested]
    for pivot in single:
        if pivot in result and abs(parts[pivot]) == 1:
            # pivot = (y - constant - the rest) / factor
            y, sign = free.pop(0), parts[pivot]
            rest = {part: -sign * factor for part, factor in parts.items() if part != pivot}
            sizes[y] = size
            return y, (size,), {pivot: make_sum({y: sign, **rest}, -sign * constant)}
    for pivot in single:
        inner = [part for part in single if part not in result and parts[part] == 1]
        if pivot in result and parts[pivot] > 1 and len(parts) == 2 and len(inner) == 1 and len(free) > 2:
            stride = parts[pivot]
            u, p, q = free.pop(0), free.pop(0), free.pop(0)
            blocks, offset = constant // stride, constant % stride
            sizes[u], sizes[p] = -(-size // stride), stride
            sizes[q] = (sizes[inner[0]] - 1 + offset) // stride + 1
            return u + p, (sizes[u], stride), {pivot: make_sum({u: 1, q: -1}, -blocks),
                                               inner[0]: make_sum({q: stride, p: 1}, -offset)}
    return None
