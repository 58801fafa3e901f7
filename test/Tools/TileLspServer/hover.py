#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Talks to tile-lsp-server as an editor does, and computes what it says.

    hover.py SERVER PROGRAMS

Each function of the file PROGRAMS has one contraction. The formula that the
server shows over its specification is evaluated as Python, with the sizes that
it shows, and compared with the oracle. Then come changes of the text at random,
each with requests at random places, and messages that are none: each request
gets one answer, and the server ends well.
"""

import itertools
import json
import random
import re
import subprocess
import sys
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True  # leave no files in the source folder
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Integration"))
import numpy_einsum as oracle  # noqa: E402

URI = "file:///program.mlir"


class Server:
    def __init__(self, command):
        self.process = subprocess.Popen([command, "--log=error"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.count = 0
        self.call("initialize", processId=1, rootPath="mlir", capabilities={}, trace="off")

    def write(self, body):
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def notify(self, method, **params):
        self.write(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())

    def call(self, method, **params):
        """The result of a request, which has one answer, by its number."""
        self.count += 1
        self.write(json.dumps({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params}).encode())
        while True:
            header = self.process.stdout.readline()
            if not header:
                raise EOFError(f"{method} {params}: the server ended")
            length = int(re.fullmatch(rb"Content-Length: (\d+)\r\n", header)[1])
            if self.process.stdout.readline() != b"\r\n":
                raise ValueError("expected an empty line")
            message = json.loads(self.process.stdout.read(length))
            if "id" in message:
                if message["id"] != self.count:
                    raise ValueError(f"expected an answer to {self.count}: {message}")
                return message.get("result")

    def set_text(self, text, version):
        self.notify("textDocument/didChange", textDocument={"uri": URI, "version": version}, contentChanges=[{"text": text}])

    def hover(self, line, character):
        return self.call("textDocument/hover", textDocument={"uri": URI}, position={"line": line, "character": character})

    def end(self):
        self.call("shutdown")
        self.notify("exit")
        return self.process.wait(60)


def compute(formula, sizes, inputs, tables, pad):
    """The value of "result[m, n] = sum over k of input0[m, k] * input1[k, n]"."""
    result, product = re.fullmatch(r"result\[(.*?)\] = (?:sum over .*? of )?(.*)", formula).groups()
    result = [letter for letter in result.split(", ") if letter]
    factors = re.findall(r"input(\d+)\[(.*?)\](?: \* |$)", product)
    terms = [(inputs[int(i)], compile(f"({axes.replace('/', '//')},)" if axes else "()", "axes", "eval")) for i, axes in factors]
    assert len(terms) == len(inputs), formula
    total = np.zeros([sizes[letter] for letter in result])
    for point in itertools.product(*map(range, sizes.values())):
        letters = dict(zip(sizes, point))
        value = 1
        for operand, axes in terms:
            place = eval(axes, tables | letters)
            inside = all(0 <= i < n for i, n in zip(place, operand.shape))
            assert inside or pad == "zero", (formula, letters)
            value *= operand[place] if inside else 0
        total[tuple(letters[letter] for letter in result)] += value
    return total


def check_meaning(server, function, rng):
    program = oracle.Program.parse(function)
    (contract,) = program.contracts.values()
    offset = function.index(contract.spec)
    line = function.count("\n", 0, offset)
    hover = server.hover(line, offset - function.rindex("\n", 0, offset) - 1 + len(contract.spec) // 2)
    text = hover["contents"]["value"]
    (formula,) = re.findall("^result.*", text, re.M)
    sizes = {letter: int(size) for letter, size in re.findall(r"^\| (\w) \| (\d+) \|", text, re.M)}
    start, end = hover["range"]["start"], hover["range"]["end"]
    assert function.splitlines()[line][start["character"]:end["character"]] == contract.spec, hover
    values = [rng.integers(*(a.value_range or (-9, 9)), a.type.shape, endpoint=True) for a in program.arguments]
    expected = list(program.run([oracle.convert(v, a.type.element) for v, a in zip(values, program.arguments)]).values())[-1]
    named = dict(zip((a.name for a in program.arguments), values))
    got = compute(formula, sizes, [named[name] for name in contract.operands],
                  {table: named[name] for table, name in contract.tables.items()}, contract.pad)
    assert np.array_equal(got, expected), f"{contract.spec}: {text}\n{got}\n{expected}"


def change(text, rng):
    """`text` with a piece removed, doubled, or put elsewhere."""
    at, size = rng.randrange(len(text) + 1), rng.choice([1, 1, 2, 5, 40])
    piece = text[at:at + size]
    where = rng.randrange(len(text) + 1)
    return rng.choice([text[:at] + text[at + size:], text[:where] + piece + text[where:],
                       text[:where] + rng.choice(['"', "(", "->", "\n// -----\n", "[", "é", "99999999999", "\0"]) + text[where:]])


def main():
    command, programs = sys.argv[1:]
    functions = re.split(r"(?=^func\.func)", Path(programs).read_text(), flags=re.MULTILINE)[1:]
    server = Server(command)
    server.notify("textDocument/didOpen", textDocument={"uri": URI, "languageId": "mlir", "version": 0, "text": ""})
    numbers, rng = np.random.default_rng(1), random.Random(1)
    for version, function in enumerate(functions):
        server.set_text(function, version + 1)
        check_meaning(server, function, numbers)

    answers = shown = 0
    for _ in range(150):
        text = rng.choice(functions)
        for _ in range(rng.randrange(1, 4)):
            text = change(text, rng)
        server.set_text(text, answers + 1000)
        lines = text.split("\n")
        specs = [i for i, line in enumerate(lines) if "einsum" in line]
        for _ in range(3):
            line = rng.choice(specs) if specs and rng.random() < 0.7 else rng.randrange(len(lines) + 2)
            hover = server.hover(line, rng.randrange(60))
            answers += 1
            shown += bool(hover) and "result[" in hover["contents"]["value"]
    # Places that are none, documents that are not open, messages that are none.
    for line, character in (-1, 0), (0, -1), (0, 2**31 - 1), (2**31 - 1, 0):
        server.hover(line, character)
    server.call("textDocument/hover", textDocument={"uri": "file:///none.mlir"}, position={"line": 0, "character": 0})
    server.call("textDocument/hover", textDocument=7)
    server.call("textDocument/hover")
    server.notify("textDocument/didOpen", textDocument=[])
    server.notify("textDocument/didChange", textDocument={"uri": URI, "version": 9}, contentChanges=[{}])
    for body in b"{", b"\xff":
        server.write(body)
    server.set_text(functions[0], 5000)
    check_meaning(server, functions[0], numbers)
    assert server.end() == 0

    # Upstream's server ends at JSON that is no message; an editor that goes away within one.
    for rest in b"[]", b"7", b'{"method": 7}', b'{"method": "textDocument/hover"}', None:
        gone = Server(command)
        if rest:
            gone.write(rest)
        else:
            gone.process.stdin.write(b"Content-Length: 100\r\n\r\n{")
            gone.process.stdin.close()
        assert gone.process.wait(60) >= 0, rest
    print(f"{len(functions)} specifications mean what they say; {answers} answers on changed programs, {shown} with a meaning")
    return int(len(functions) < 40 or shown < 50)


if __name__ == "__main__":
    sys.exit(main())
