# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs calls of libraries by tileir.triton, and compares them with torch: what tutorials.py, liger.py and the others share.

    LIBRARY.py --backend sim --ir ttir [--only CASE ...] [--log FILE]

Each case is one line: how many launches ran, what was found in them, how far the numbers are from torch's. The last
line has the sums. The status is 0 if all that ran agreed.
"""

import argparse
import importlib.util
import json
import sys
import time
import traceback

import torch

import tileir.triton


class Instead:
    """Finds modules in other files than their own."""

    def __init__(self, files):
        self.files = files

    def find_spec(self, name, path=None, target=None):
        return importlib.util.spec_from_file_location(name, self.files[name]) if name in self.files else None


class Harness:
    def __init__(self, group):
        parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
        parser.add_argument("--backend", default="sim")
        parser.add_argument("--ir", default="ttir")
        parser.add_argument("--chip", default="sm_80")
        parser.add_argument("--timeout", type=float, default=60)
        parser.add_argument("--only", nargs="*", help="cases; default: all")
        parser.add_argument("--instead", nargs="*", default=[], metavar="MODULE=FILE", help="modules that are read from other files")
        parser.add_argument("--log", help="a file for a line of JSON for each case")
        self.options, self.group, self.rows, self.faults = parser.parse_args(), group, [], []
        options = self.options
        sys.meta_path.insert(0, Instead(dict(item.split("=") for item in options.instead)))
        tileir.triton.install(
            backend=options.backend, ir=options.ir, chip=options.chip, timeout=options.timeout, on_finding=self.faults.append
        )
        torch.manual_seed(0)

    def case(self, name):
        """Runs what it decorates."""

        def run(function):
            if self.options.only and name not in self.options.only:
                return function
            tileir.triton.launches().clear()
            self.faults.clear()
            torch.manual_seed(0)
            self.compared, self.wrong, error, start = 0, [], None, time.time()
            try:
                function()
            except tileir.triton.TileIRError as problem:
                error = f"{type(problem).__name__}: {problem}"
            except Exception as problem:  # host code that does not get so far
                frame = traceback.extract_tb(problem.__traceback__)[-1]
                error = f"HOST {type(problem).__name__}: {str(problem)[:200]} at {frame.filename}:{frame.lineno}"
            launches = tileir.triton.launches()
            row = dict(
                group=self.group,
                case=name,
                launches=len(launches),
                kernels=sorted({x.kernel for x in launches}),
                error=error,
                faults=[str(x) for fault in self.faults for x in fault.findings],
                faulty=len(self.faults),
                compared=self.compared,
                wrong=self.wrong,
                seconds=round(time.time() - start, 2),
            )
            self.rows.append(row)
            print(
                f"{self.group}/{name}: {len(launches)} launches, {self.compared} compared"
                + "".join(f"\n    WRONG {x}" for x in self.wrong)
                + "".join(f"\n    FOUND {x}" for x in row["faults"][:3])
                + (f"\n    ERROR {error[:300]}" if error else ""),
                flush=True,
            )
            if self.options.log:
                with open(self.options.log, "a") as file:
                    file.write(json.dumps(row | dict(backend=self.options.backend, ir=self.options.ir)) + "\n")
            return function

        return run

    def check(self, name, got, expected, tolerance=1e-4):
        """Compares by the largest difference, relative to the largest number."""
        if isinstance(got, (tuple, list)):
            for i, (a, b) in enumerate(zip(got, expected)):
                self.check(f"{name}[{i}]", a, b, tolerance)
            return
        self.compared += 1
        got, expected = (torch.as_tensor(x).detach() for x in (got, expected))
        if got.is_complex():
            got, expected = torch.view_as_real(got), torch.view_as_real(expected)
        got, expected = got.double(), expected.double()
        if got.shape != expected.shape:
            self.wrong.append(f"{name}: shape {tuple(got.shape)}, expected {tuple(expected.shape)}")
            return
        finite = expected.isfinite()
        if not (torch.equal(got.isnan(), expected.isnan()) and torch.equal(got[expected.isinf()], expected[expected.isinf()])):
            self.wrong.append(f"{name}: NaN or infinity elsewhere")
        elif finite.any():
            error = ((got - expected)[finite].abs().max() / expected[finite].abs().max().clamp_min(1e-20)).item()
            if not error <= tolerance:
                self.wrong.append(f"{name}: {error:.2g}, allowed {tolerance:g}")

    def finish(self):
        rows = self.rows
        host = [row for row in rows if row["error"] and row["error"].startswith("HOST")]
        failed = [row for row in rows if row["error"] and row not in host]
        launches = sum(row["launches"] for row in rows)
        wrong = sum(bool(row["wrong"]) for row in rows)
        print(
            f"{self.group} on {self.options.backend} by {self.options.ir}: {len(rows)} cases, {len(host)} stopped by the host code; "
            f"{launches + len(failed)} launches, {launches} ran, {sum(row['faulty'] for row in rows)} with findings; "
            f"{sum(row['compared'] for row in rows)} comparisons, {wrong} cases wrong; "
            f"{len({k for row in rows for k in row['kernels']})} kernels"
        )
        sys.exit(bool(wrong or failed))
