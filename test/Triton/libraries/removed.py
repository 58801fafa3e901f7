# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes barriers, fences, waits and commits out of the LLVM IR of the libraries' kernels, one at a time.

    removed.py LOG LIBRARY.py --backend sim --ir llvm --chip sm_80 --timeout 600

Runs a file of this folder. Before the first launch of each kernel that has no finding it runs the kernel without each of these
calls (the first 16), and writes a line of JSON to LOG: the kernel, the line of its IR, the call, the kinds of findings, and
whether the outputs are the same."""

import json
import pathlib
import re
import runpy
import sys
import tempfile

from tileir._launch import runner

MOST = 16  # calls of a kernel
CALL = re.compile(r"^\s*fence |^\s*(tail )?call .*(@llvm\.nvvm\.(barrier|bar\.warp\.sync|membar|fence|cp\.async\.(bulk\.)?"
                  r"(wait|commit)|wgmma\.(fence|wait|commit)|mbarrier\.(test|try)\.wait)|asm sideeffect \"(fence|membar|"
                  r"bar\.|wgmma\.fence|cp\.async\.wait))")
KIND = re.compile(r"(?:lane \d+|block \S+): ([a-z]+(?:-[a-z]+)+): ")
launch = runner.Runner.run
log = open(sys.argv[1], "w", encoding="utf-8")
seen = set()


def try_run(self, path, options, folder):
    """The status, the kinds of findings and the outputs of a run that leaves the launch's own files alone."""
    folder.mkdir()
    words = [str(path)]
    for word in options:
        name, _, value = word.partition("=")
        if name == "--outputs":
            files = [str(folder / f"{i}.npy") if file else "" for i, file in enumerate(value.split(","))]
            word = "--outputs=" + ",".join(files)
        if name not in ("--report", "--sarif", "--roofline", "--print-file"):
            words.append(word)
    status, output = launch(self, words, 60)
    return status, sorted(set(KIND.findall(output))), {file.name: file.read_bytes() for file in folder.iterdir()}


def run(self, words, timeout):
    source = pathlib.Path(words[0])
    text = source.read_text(encoding="utf-8") if source.is_file() else ""
    calls = [i for i, line in enumerate(text.split("\n")) if CALL.search(line)]
    if calls and text not in seen:
        seen.add(text)
        kernel = re.search(r"define ptx_kernel void @(\w+)", text)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            status, kinds, right = try_run(self, source, words[1:], folder / "right")
            for i in calls[:MOST] if status == 0 and not kinds else []:
                lines = text.split("\n")
                call, lines[i] = lines[i].strip(), ""
                changed = folder / source.name
                changed.write_text("\n".join(lines), encoding="utf-8")
                status, kinds, outputs = try_run(self, changed, words[1:], folder / str(i))
                row = {"kernel": kernel and kernel[1], "line": i + 1, "call": call, "status": status, "kinds": kinds}
                log.write(json.dumps(row | {"same": outputs == right}) + "\n")
    return launch(self, words, timeout)


runner.Runner.run = run
sys.argv = sys.argv[2:]
sys.path.insert(0, str(pathlib.Path(__file__).parent))
runpy.run_path(sys.argv[0], run_name="__main__")
