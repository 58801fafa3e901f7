# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Specifications as NumPy has them become those of TileIR: an ellipsis stands for axes that need no name, and without
an arrow the result has the indices that occur once, in the order of the alphabet."""

import re
import string

from tileir.errors import ShapeError, SpecError

# A table's name and bracket, a name, an ellipsis.
_TOKEN = re.compile(r"(?P<table>[A-Za-z_]\w*)\s*(?=\[)|(?P<name>[A-Za-z])|(?P<dots>\.\.\.)", re.ASCII)


def split_terms(spec):
    """The start and the end of each term of the operands."""
    end = spec.find("->")
    depth, start, terms = 0, 0, []
    operands = spec if end < 0 else spec[:end]
    for position, c in enumerate(operands):
        depth += (c == "(") - (c == ")")
        if c == "," and depth <= 0:
            terms.append((start, position))
            start = position + 1
    return [*terms, (start, len(operands))]


def get_term(spec, operand):
    """Where the term of an operand is: its first character and its length; None if there is none."""
    terms = split_terms(spec)
    if operand >= len(terms):
        return None
    start, end = terms[operand]
    text = spec[start:end]
    length = len(text.strip())
    return (start + len(text) - len(text.lstrip()), length) if length else None


def get_tables(spec):
    """The names of the tables that a specification looks up in."""
    return {match["table"] for match in _TOKEN.finditer(spec) if match["table"]}


def count_axes(term):
    """How many axes a term has, without an ellipsis."""
    count = depth = 0
    for c in term:
        depth += (c == "(") - (c == ")")
        if depth == 0 and (c == ")" or c.isalpha()):
            count += 1
    return count


class Specification:
    """A specification for arrays of known shapes: `text` without an ellipsis and with an arrow; for each character of
    `text` its place in what was written; and for each operand the axes that are left: those of an ellipsis whose size is
    1 are repeated, as in NumPy, and are no part of the contraction."""

    def __init__(self, spec, shapes):
        self.spec, self.shapes = spec, shapes
        self.text, self.places = spec, None
        self.axes = [range(len(shape)) for shape in shapes]
        if "->" not in spec:
            self._add_result()
        if "..." in self.text:
            self._expand()

    def place(self, position, length):
        """A place in `text` as one in what was written."""
        if self.places is None or position is None:
            return position, length
        first = self.places[min(position, len(self.places) - 1)] if self.places else 0
        return first, length if position + length <= len(self.places) else 1

    def _add_result(self):
        letters = [m["name"] for m in _TOKEN.finditer(self.spec) if m["name"]]
        once = sorted(letter for letter in set(letters) if letters.count(letter) == 1)
        result = ("..." if "..." in self.spec else "") + "".join(once)
        self.places = [*range(len(self.spec)), *[max(len(self.spec) - 1, 0)] * (4 + len(result))]
        self.text = f"{self.spec} -> {result}"

    def _expand(self):
        """Writes letters that are not used for each ellipsis, from the last axis on."""
        free = [c for c in string.ascii_letters if c not in self.text]
        operands, arrow, result = self.text.partition("->")
        terms = split_terms(self.text)
        if result.count("...") > 1:
            raise self._error(SpecError, "expected one ellipsis in the result, found two", self.text.rfind("..."))
        counts = []
        for operand, (start, end) in enumerate(terms):
            term = self.text[start:end]
            if term.count("...") > 1:
                raise self._error(SpecError, "expected one ellipsis in a term, found two", start + term.rfind("..."))
            counts.append(None)
            if "..." not in term or operand >= len(self.shapes):
                continue
            named = count_axes(term.replace("...", ""))
            counts[-1] = len(self.shapes[operand]) - named
            if counts[-1] < 0:
                raise self._error(ShapeError, f"expected operand {operand} to have at least {named} axes, found "
                                  f"{len(self.shapes[operand])}", start + term.index("..."), operand)
        most = max((count for count in counts if count is not None), default=0)
        if most > len(free):
            raise self._error(SpecError, f"expected an ellipsis of at most {len(free)} axes, found {most}",
                              self.text.index("..."))
        letters = free[:most]
        sizes = self._get_sizes(terms, counts, letters)
        text, places = [], []

        def put(piece, start, step=1):
            text.append(piece)
            places.extend(start + step * i for i in range(len(piece)))

        for operand, (start, end) in enumerate(terms):
            if operand:
                put(",", start - 1)
            dots = self.text.find("...", start, end)
            if dots < 0 or counts[operand] is None:
                put(self.text[start:end], start)
                continue
            before = count_axes(self.text[start:dots])
            shape, count = self.shapes[operand], counts[operand]
            own = letters[most - count:]
            kept = [i for i in range(count) if shape[before + i] == sizes[own[i]]]
            self.axes[operand] = [axis for axis in range(len(shape))
                                  if not before <= axis < before + count or axis - before in kept]
            put(self.text[start:dots], start)
            put("".join(own[i] for i in kept), dots, step=0)
            put(self.text[dots + 3:end], dots + 3)
        put(arrow, len(operands))
        dots = self.text.find("...", len(operands))
        if dots < 0:
            put(self.text[len(operands) + len(arrow):], len(operands) + len(arrow))
        else:
            put(self.text[len(operands) + len(arrow):dots], len(operands) + len(arrow))
            put("".join(letters), dots, step=0)
            put(self.text[dots + 3:], dots + 3)
        if self.places is not None:
            places = [self.places[place] for place in places]
        self.text, self.places = "".join(text), places

    def _get_sizes(self, terms, counts, letters):
        """The size of each letter that stands for an axis of an ellipsis."""
        sizes = dict.fromkeys(letters, 1)
        for operand, (start, end) in enumerate(terms):
            if counts[operand] is None:
                continue
            before = count_axes(self.text[start:self.text.find("...", start, end)])
            for i, letter in enumerate(letters[len(letters) - counts[operand]:]):
                size = self.shapes[operand][before + i]
                if 1 not in (size, sizes[letter]) and size != sizes[letter]:
                    raise self._error(
                        ShapeError, f"expected axis {before + i} of operand {operand}, which an ellipsis stands for, to "
                        f"have size {sizes[letter]}, as that of an operand before, or 1, found {size}",
                        self.text.find("...", start, end), operand, before + i)
                if size != 1:
                    sizes[letter] = size
        return sizes

    def _error(self, kind, message, position, operand=None, axis=None):
        position, _ = self.place(position, 3)
        return kind(message, self.spec, operand, axis, position, 3)
