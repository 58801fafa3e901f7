# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tileir.ir: all examples parse, print and go through a pipeline as tile-opt takes them; ops and their places; errors; threads;
layouts."""

import os
import re
import subprocess
import sys
import threading
import unittest
from pathlib import Path

import numpy as np

import tileir
from tileir import ir

EXAMPLES = Path(sys.argv.pop(), "examples")
TWO = """#rows = #tile.layout<blocked shape = [8, 32], register = [1, 4], lane = [4, 8], warp = [1, 1]>
func.func @first(%a: tensor<4x5xf32>) -> tensor<4xf32> {
  %b = einsum.contract "ij -> i" (%a) : (tensor<4x5xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}
func.func private @second(tensor<8x32xf32, #rows>)
"""


def run_tile_opt(*options, text=None):
    return subprocess.run([Path(os.environ["TILEIR_BIN"], "tile-opt"), *map(str, options)], input=text, capture_output=True, text=True,
                          check=True).stdout


class Ir(unittest.TestCase):
    def test_examples_as_tile_opt_takes_them(self):
        files = sorted(EXAMPLES.glob("*.mlir"))[::5] + sorted(EXAMPLES.glob("tile/*.mlir"))[::5]
        self.assertGreater(len(files), 10)
        for file in files:
            with self.subTest(file=file.name):
                module = ir.parse(file)
                module.verify()
                self.assertEqual(str(module).strip(), run_tile_opt(file).strip())
                passes = "einsum-fuse,canonicalize,cse"
                self.assertEqual(module.run(passes), [])
                self.assertEqual(str(module).strip(), run_tile_opt(file, f"--pass-pipeline=builtin.module({passes})").strip())

    def test_a_pipeline(self):
        module = ir.parse(TWO)
        ir.PassManager("builtin.module(einsum-to-cpu-pipeline)").run(module)
        self.assertEqual({op.name.split(".")[0] for op in module.walk()} - {"builtin", "llvm"}, set())
        self.assertIn('"builtin.module"', module.print(generic=True))

    def test_operations(self):
        module = ir.parse(TWO)
        names = [op.name for op in module.walk()]
        self.assertEqual(names, ["builtin.module", "func.func", "einsum.contract", "func.return", "func.func"])
        (contract,) = module.walk("einsum.*")
        self.assertEqual((contract.line, contract.column, contract.depth), (3, 8, 2))
        self.assertEqual((contract.operands, contract.results), (("tensor<4x5xf32>",), ("tensor<4xf32>",)))
        self.assertEqual(contract.attributes["spec"], '#einsum.spec<"ij -> i">')
        self.assertIn('einsum.contract "ij -> i"', contract.text)
        self.assertEqual(module.walk("func.return")[0].text, "func.return %0 : tensor<4xf32>")
        self.assertEqual(Path(ir.parse(EXAMPLES / "gemm.mlir").walk("einsum.*")[0].file).name, "gemm.mlir")
        self.assertIn('loc("-":3:8)', module.print(debug_info=True))
        # What was walked is as it was, whatever passes make of it.
        copy = module.clone()
        module.run("einsum-to-cpu-pipeline")
        self.assertEqual(str(contract).strip(), contract.text)
        self.assertEqual([op.name for op in copy.walk()], names)

    def test_errors_have_their_place(self):
        for text, line, column, words in (
                ("func.func @f() {\n  return %b : i32\n}\n", 2, 10, "use of undeclared SSA value name"),
                (TWO.replace("ij ->", "ijk ->"), 3, 8, "expects operand 0 to have 3 axes"),
                ("nonsense {\n", 1, 1, "custom op 'nonsense' is unknown")):
            with self.assertRaisesRegex(ir.IRError, words) as caught:
                ir.parse(text)
            error = caught.exception
            self.assertEqual((error.line, error.column), (line, column))
            self.assertIn(f"\n  {text.splitlines()[line - 1]}\n  {' ' * (column - 1)}^", str(error))
            self.assertNotIn("see current operation", str(error))
            self.assertEqual(error.diagnostics[0].severity, "error")
        module = ir.parse(TWO)
        for passes, words in (("canonicalise", "'canonicalise' does not refer to a registered pass"),
                              ("einsum-choose-schedule{tiles=1}", "no such option tiles"),
                              ("einsum-to-cpu-pipeline{config={tile=x}}", "tile=x|'x' value invalid|expected")):
            with self.assertRaisesRegex(ir.IRError, words):
                module.run(passes)
        self.assertEqual(str(module), str(ir.parse(TWO)))
        with self.assertRaises(FileNotFoundError):
            tileir.ir.parse("none.mlir")
        self.assertTrue(issubclass(ir.IRError, tileir.TileIRError))

    def test_passes_that_fail(self):
        module = ir.parse(TWO)
        with self.assertRaisesRegex(ir.IRError, "^error: expected 'cpu' to be one of"):
            module.run("einsum-attach-machine{cpu=none}")

    def test_remarks(self):
        told = ir.parse(TWO).run("tile-print-layouts")
        self.assertEqual([one.severity for one in told], ["remark"])
        self.assertRegex(told[0].message, r"8x32xf32: register = .* copies = 1")

    def test_threads(self):
        contexts, texts = [ir.Context() for _ in range(3)], []

        def work(context):
            for _ in range(3):
                module = context.parse(TWO)
                module.run("einsum-to-cpu-pipeline")
                texts.append(str(module))

        threads = [threading.Thread(target=work, args=(context,)) for context in [*contexts, contexts[0]]]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((len(texts), len(set(texts))), (12, 1))

    def test_beside_compiled_contractions(self):
        # Both have MLIR's libraries, and dialects of their own.
        a = np.arange(6, dtype=np.float32).reshape(2, 3)
        np.testing.assert_array_equal(tileir.einsum("ij -> j", a), a.sum(0))

    def test_layouts(self):
        (drawing,) = ir.layouts(TWO)
        self.assertIn("<svg", drawing.svg)
        self.assertEqual(drawing._repr_svg_(), drawing.svg)
        self.assertEqual(len(ir.layouts(ir.parse(TWO))), 1)
        with self.assertRaisesRegex(tileir.TileIRError, "cannot be drawn"):
            ir.layouts("nonsense {\n")

    def test_code_in_process(self):
        text = """
            func.func @main(%a: tensor<9x37xf32> {bufferization.writable = false}, %b: tensor<37x20xf32> {bufferization.writable = false},
                            %x: memref<9x20xf32>, %y: memref<11x22xf32>) {
              %zero = arith.constant 0.0 : f32
              %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<9x37xf32>, tensor<37x20xf32>) -> tensor<9x20xf32>
              %p = tensor.pad %c low[1, 1] high[1, 1] {
              ^bb0(%i: index, %j: index):
                tensor.yield %zero : f32
              } : tensor<9x20xf32> to tensor<11x22xf32>
              bufferization.materialize_in_destination %c in restrict writable %x : (tensor<9x20xf32>, memref<9x20xf32>) -> ()
              bufferization.materialize_in_destination %p in restrict writable %y : (tensor<11x22xf32>, memref<11x22xf32>) -> ()
              return
            }"""
        module = ir.parse(text)
        module._native.attach_host_machine()
        # As tile-run describes this CPU, which need not be in the table.
        machine = re.search(r"cpu = \"[^>]*", str(module))[0]
        flags = Path("/proc/cpuinfo").read_text()
        if "flags" in flags:
            self.assertIn(f"vector_bits = {512 if 'avx512f' in flags else 256 if 'avx2' in flags else 128}", machine)
        module.run("einsum-to-cpu-pipeline{checks=none bare-pointers=true}")
        with self.assertRaisesRegex(RuntimeError, "expected the pipeline to leave the function '_mlir_ciface_other', or one of pointers"):
            module._native.compile("other")
        code = module._native.compile("main")
        random = np.random.default_rng(1)
        a, b = (random.integers(-4, 5, shape).astype(np.float32) for shape in ((9, 37), (37, 20)))
        for _ in range(3):
            c, p = np.full((9, 20), np.nan, np.float32), np.full((11, 22), np.nan, np.float32)
            code.run([array.ctypes.data for array in (a, b, c, p)])
            np.testing.assert_array_equal(c, a @ b)
            np.testing.assert_array_equal(p, np.pad(a @ b, 1))

    def test_a_plugin_without_code(self):
        # One that has passes and dialects alone.
        found = subprocess.run([sys.executable, "-c", "import tileir.ir; tileir.ir.Context()"], capture_output=True, text=True,
                               env={**os.environ, "TILEIR_PLUGIN": str(Path(os.environ["TILEIR_BIN"]).parent / "test/lib/TileIRTestPlugin.so")})
        self.assertRegex(found.stderr, "ImportError: .*tileirGetProgramFunctions")


if __name__ == "__main__":
    unittest.main()
