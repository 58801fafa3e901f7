# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Axes of specifications as trees: for gradients, which are specifications made of them, and for sizes that are symbols of
torch. Takes what the compiler accepts, without an ellipsis and with an arrow.

A tree is a number, a letter, or a tuple: ("table", name, letters), or an operator and its two sides.
"""

import re

_TOKEN = re.compile(r"\s*(?:(\d+)|([A-Za-z_]\w*)|(.))", re.ASCII | re.DOTALL)


class Terms:
    """The axes of each operand, and the letters of the result."""

    def __init__(self, spec):
        operands, _, result = spec.partition("->")
        self.operands = [_Parser(term).parse() for term in _split(operands)]
        self.result = "".join(result.split())


def _split(operands):
    depth, start, parts = 0, 0, []
    for position, c in enumerate(operands):
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append(operands[start:position])
            start = position + 1
    return [*parts, operands[start:]]


class _Parser:
    def __init__(self, term):
        self.tokens = []
        depth = 0
        for number, name, other in _TOKEN.findall(term):
            depth += (other == "(") - (other == ")")
            if number:
                self.tokens.append(int(number))
            elif name:
                # Outside of parentheses each letter is an axis.
                self.tokens += [name] if depth else list(name)
            elif other.strip():
                self.tokens.append(other)
        self.tokens.append("end")

    def take(self):
        return self.tokens.pop(0)

    def parse(self):
        axes = []
        while self.tokens[0] != "end":
            axes.append(self.parse_factor())
        return axes

    def parse_sum(self):
        tree = self.parse_product()
        while self.tokens[0] in ("+", "-"):
            tree = (self.take(), tree, self.parse_product())
        return tree

    def parse_product(self):
        tree = self.parse_factor()
        while self.tokens[0] in ("*", "/", "%"):
            tree = (self.take(), tree, self.parse_factor())
        return tree

    def parse_factor(self):
        token = self.take()
        if token == "-":
            return ("-", 0, self.parse_factor())
        if token == "(":
            tree = self.parse_sum()
            self.take()
            return tree
        if isinstance(token, str) and self.tokens[0] == "[":
            letters = ""
            while self.take() != "]":
                letters += self.take()
            return ("table", token, letters)
        return token


def get_letters(tree):
    """The letters that a tree uses, each once, in their order."""
    if isinstance(tree, int):
        return ""
    if isinstance(tree, str):
        return tree
    parts = tree[2] if tree[0] == "table" else get_letters(tree[1]) + get_letters(tree[2])
    return "".join(dict.fromkeys(parts))


def get_tables(tree):
    """The look-ups in a tree, as pairs of a table and its letters."""
    if not isinstance(tree, tuple):
        return []
    return [tree[1:]] if tree[0] == "table" else get_tables(tree[1]) + get_tables(tree[2])


def get_sum(tree):
    """A tree as a sum: a dictionary of coefficients of letters and of trees that are no sums, and a constant."""
    if isinstance(tree, int):
        return {}, tree
    if isinstance(tree, tuple) and tree[0] in "+-":
        (left, a), (right, b) = get_sum(tree[1]), get_sum(tree[2])
        sign = 1 if tree[0] == "+" else -1
        total = dict(left)
        for part, factor in right.items():
            total[part] = total.get(part, 0) + sign * factor
        return {part: factor for part, factor in total.items() if factor}, a + sign * b
    if isinstance(tree, tuple) and tree[0] == "*":
        for number, other in (get_sum(tree[1]), tree[2]), (get_sum(tree[2]), tree[1]):
            if not number[0]:
                parts, constant = get_sum(other)
                return {part: number[1] * factor for part, factor in parts.items() if number[1]}, number[1] * constant
    return {tree: 1}, 0


def get_bare(tree):
    """The letter that an axis is alone, or None."""
    parts, constant = get_sum(tree)
    if constant == 0 and len(parts) == 1 and isinstance(*parts, str) and [*parts.values()] == [1]:
        return next(iter(parts))
    return None


def make_sum(parts, constant):
    """The tree of a sum."""
    tree = constant
    for part, factor in parts.items():
        tree = ("+", tree, part if factor == 1 else ("*", factor, part)) if factor > 0 else ("-", tree, ("*", -factor, part))
    return tree


def substitute(tree, letter, by):
    """A tree with another tree instead of a letter; None if a table is looked up at the letter."""
    if tree == letter:
        return by
    if not isinstance(tree, tuple):
        return tree
    if tree[0] == "table":
        return None if letter in tree[2] else tree
    sides = substitute(tree[1], letter, by), substitute(tree[2], letter, by)
    return None if None in sides else (tree[0], *sides)


def write(tree):
    """A tree as text, with all parentheses."""
    if isinstance(tree, int):
        return str(tree) if tree >= 0 else f"(0-{-tree})"
    if isinstance(tree, str):
        return tree
    if tree[0] == "table":
        return f"{tree[1]}[{','.join(tree[2])}]"
    return f"({write(tree[1])}{tree[0]}{write(tree[2])})"


def write_term(axes):
    """Axes as a term."""
    return "".join(axis if isinstance(axis, str) else f"({write(axis)})" for axis in axes)


def evaluate(tree, letters, tables):
    """The value of a tree, of numbers, arrays or tensors."""
    if isinstance(tree, int):
        return tree
    if isinstance(tree, str):
        return letters[tree]
    if tree[0] == "table":
        return tables[tree[1]][tuple(letters[letter] for letter in tree[2])]
    left, right = evaluate(tree[1], letters, tables), evaluate(tree[2], letters, tables)
    if tree[0] == "+":
        return left + right
    if tree[0] == "-":
        return left - right
    if tree[0] == "*":
        return left * right
    return left // right if tree[0] == "/" else left % right


def infer_sizes(terms, shapes, tables, given, padded):
    """The sizes of letters, as the compiler infers them: given ones, axes and tables that a letter alone tells, and then
    windows. Sizes may be symbols. A contradiction is not looked for."""
    sizes = dict(given)
    for axes, shape in zip(terms.operands, shapes):
        for axis, size in zip(axes, shape):
            if letter := get_bare(axis):
                sizes.setdefault(letter, size)
            for name, letters in get_tables(axis):
                for index, extent in zip(letters, tables[name]):
                    sizes.setdefault(index, extent)
    changed = not padded
    while changed:
        changed = False
        for axes, shape in zip(terms.operands, shapes):
            for axis, size in zip(axes, shape):
                parts, constant = get_sum(axis)
                unknown = [part for part in parts if part not in sizes]
                if len(unknown) != 1 or not all(isinstance(part, str) for part in parts) or parts[unknown[0]] < 0:
                    continue
                room = size - constant - sum(factor * (sizes[part] - 1) for part, factor in parts.items()
                                             if part in sizes and factor > 0)
                sizes[unknown[0]] = (room - 1) // parts[unknown[0]] + 1
                changed = True
    return sizes
