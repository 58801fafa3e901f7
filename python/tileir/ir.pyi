# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from os import PathLike
from typing import Any

from tileir import Drawing as Drawing
from tileir import TileIRError

class Diagnostic:
    severity: str
    message: str
    file: str
    line: int
    column: int
    notes: tuple[Diagnostic, ...]

class IRError(TileIRError, ValueError):
    diagnostics: list[Diagnostic]
    file: str
    line: int
    column: int

class Operation:
    name: str
    attributes: dict[str, str]
    operands: tuple[str, ...]
    results: tuple[str, ...]
    file: str
    line: int
    column: int
    depth: int
    text: str

class Context:
    def parse(self, source: str | PathLike[str]) -> Module: ...
    def get_gpu_chip(self, device: int = 0) -> str: ...

class Module:
    context: Context
    def print(self, debug_info: bool = False, generic: bool = False) -> str: ...
    def verify(self) -> None: ...
    def run(self, passes: str, verify_each: bool = True) -> list[Diagnostic]: ...
    def walk(self, name: str | None = None) -> list[Operation]: ...
    def compile_for_gpu(self, entry: str, device: int = 0) -> Any: ...
    def clone(self) -> Module: ...

class PassManager:
    passes: str
    def __init__(self, passes: str) -> None: ...
    def run(self, module: Module) -> list[Diagnostic]: ...

def parse(source: str | PathLike[str], context: Context | None = None) -> Module: ...
def layouts(
    program: str | PathLike[str] | Module, passes: str = "", tile_opt: str | PathLike[str] | None = None
) -> list[Drawing]: ...
