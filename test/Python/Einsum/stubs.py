# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The stubs of the package, or of the module of it that is named, say what its functions and classes have: names, parameters,
defaults."""

import ast
import importlib
import inspect
import sys
import unittest
from pathlib import Path

import tileir.errors

MODULE = importlib.import_module(sys.argv.pop() if len(sys.argv) > 1 else "tileir")


def get_parameters(node):
    """The parameters of a function of the stubs: names, kinds, and whether there is a default."""
    arguments = node.args
    positional = arguments.posonlyargs + arguments.args
    found = [(a.arg, "POSITIONAL_OR_KEYWORD", i >= len(positional) - len(arguments.defaults)) for i, a in enumerate(positional)]
    if arguments.vararg:
        found.append((arguments.vararg.arg, "VAR_POSITIONAL", False))
    found += [(a.arg, "KEYWORD_ONLY", default is not None) for a, default in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    if arguments.kwarg:
        found.append((arguments.kwarg.arg, "VAR_KEYWORD", False))
    return found


def inspect_parameters(function):
    return [(p.name, p.kind.name, p.default is not p.empty) for p in inspect.signature(function).parameters.values()]


class Stubs(unittest.TestCase):
    tree = ast.parse(Path(MODULE.__file__).with_suffix(".pyi").read_text())

    def test_functions(self):
        functions = [node for node in self.tree.body if isinstance(node, ast.FunctionDef)]
        self.assertGreaterEqual(len(functions), 2)
        for node in functions:
            self.assertEqual(get_parameters(node), inspect_parameters(getattr(MODULE, node.name)), node.name)

    def test_classes(self):
        for node in self.tree.body:
            if not isinstance(node, ast.ClassDef):
                continue
            found = getattr(MODULE, node.name, None) or getattr(tileir.errors, node.name)
            bases = {base.id for base in node.bases} - {"NamedTuple"}
            self.assertLessEqual(bases, {base.__name__ for base in found.__mro__}, node.name)
            for member in node.body:
                if isinstance(member, ast.FunctionDef) and not member.decorator_list:
                    self.assertEqual(get_parameters(member), inspect_parameters(getattr(found, member.name)), member.name)
                elif isinstance(member, ast.FunctionDef):
                    self.assertIsInstance(getattr(found, member.name), property)

    def test_all_names(self):
        named = {node.name for node in self.tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        self.assertEqual(named - {"Located"}, set(MODULE.__all__) - {"Drawing"} | named & {"Drawing"})
        self.assertTrue(Path(tileir.__file__).with_name("py.typed").exists())
        self.assertLessEqual(set(tileir.__all__), set(dir(tileir)))
        with self.assertRaisesRegex(AttributeError, "module 'tileir' has no attribute 'einsums'"):
            tileir.einsums


if __name__ == "__main__":
    unittest.main()
