# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from collections.abc import Callable, Mapping, Sequence
from inspect import Signature
from os import PathLike
from typing import Any, Literal, NamedTuple

from numpy.typing import ArrayLike, DTypeLike

# An array of NumPy, a tensor of torch, or what NumPy makes an array of; a result is of the kind of operand 0.
Array = Any
Shape = tuple[int, ...]

class Located(Exception):
    message: str
    spec: str | None
    operand: int | None
    axis: int | None
    position: int | None
    length: int

class SpecError(Located, ValueError): ...
class ShapeError(Located, ValueError): ...
class CheckError(Located, IndexError): ...
class CompileError(Located, RuntimeError): ...
class CopyWarning(RuntimeWarning): ...
class TuneWarning(RuntimeWarning): ...
class TileIRError(Exception): ...
class ArgumentError(TileIRError, TypeError): ...

class RunError(TileIRError, RuntimeError):
    place: tuple[str, int] | None

class LaunchError(RunError): ...
class TuneError(RunError): ...

class KernelFault(RunError):
    kernel: str
    grid: Shape | None
    backend: str
    findings: list[Finding]
    file: str
    line: int

class Finding:
    kind: str
    message: str
    stack: tuple[tuple[str, int, int], ...]
    file: str
    line: int
    column: int

class CacheInfo(NamedTuple):
    hits: int
    misses: int
    limit: int
    size: int

class Path(NamedTuple):
    contractions: list[str]
    flops: float

class Operation:
    spec: str
    shape: Shape
    dtype: Any
    @property
    def schedule(self) -> str: ...
    @property
    def contractions(self) -> list[str]: ...
    @property
    def seconds(self) -> float: ...
    @property
    def flops(self) -> float: ...
    @property
    def tuned(self) -> str: ...
    @property
    def program(self) -> str: ...
    @property
    def pipeline(self) -> str: ...
    @property
    def has_tables(self) -> bool: ...
    def prepare(self, arrays: Sequence[Array]) -> list[Any]: ...
    def __call__(
        self,
        *operands: Array,
        out: Array | None = None,
        bias: ArrayLike | None = None,
        tables: Mapping[str, ArrayLike] | None = None,
        **named_tables: ArrayLike,
    ) -> Array: ...

def einsum(
    spec: str,
    *operands: Array,
    tables: Mapping[str, ArrayLike] | None = None,
    sizes: Mapping[str, int] | None = None,
    pad: Literal["none", "zero"] = "none",
    out: Array | None = None,
    acc: DTypeLike | None = None,
    bias: ArrayLike | None = None,
    epilogue: Literal["relu"] | None = None,
    threads: int | None = None,
    checked: bool = True,
    tuned: bool | str | PathLike[str] | None = None,
    **named_tables: ArrayLike,
) -> Array: ...
def compile(
    spec: str,
    *operands: Array | Shape,
    dtype: DTypeLike = ...,
    tables: Mapping[str, ArrayLike | Shape] | None = None,
    sizes: Mapping[str, int] | None = None,
    pad: Literal["none", "zero"] = "none",
    out: Array | None = None,
    acc: DTypeLike | None = None,
    bias: ArrayLike | Shape | None = None,
    epilogue: Literal["relu"] | None = None,
    threads: int | None = None,
    checked: bool = True,
    tuned: bool | str | PathLike[str] | None = None,
    **named_tables: ArrayLike | Shape,
) -> Operation: ...
def einsum_path(spec: str, *operands: Array | Shape, **options: Any) -> Path: ...
def run(
    program: str | PathLike[str],
    *args: Any,
    entry: str | None = None,
    backend: Literal["cpu", "interp", "sim"] = "cpu",
    checked: bool = False,
    options: Sequence[str] = (),
    tile_run: str | PathLike[str] | None = None,
    timeout: float = 600.0,
) -> Any: ...

class Drawing:
    svg: str
    def save(self, path: str | PathLike[str]) -> None: ...

class Kernel:
    report: dict[str, Any]
    roofline: Drawing | None
    @property
    def name(self) -> str: ...
    @property
    def signature(self) -> Signature: ...
    def find_host(self) -> Any: ...
    def flatten(self, host: Any, values: Sequence[Any]) -> list[Any]: ...
    def __getitem__(self, grid: int | Sequence[int] | Callable[[dict[str, Any]], Sequence[int]]) -> Callable[..., None]: ...
    def __call__(self, *args: Any, **named: Any) -> Any: ...
    def ir(self, passes: str | None = None) -> str: ...
    def ptx(self, chip: str | None = None) -> str: ...

class BundleKernel:
    name: str
    spec: str
    def __init__(self, folder: str | PathLike[str], entry: str | None = None) -> None: ...
    @property
    def arguments(self) -> list[str]: ...
    def __getitem__(self, grid: int | Sequence[int]) -> Callable[..., None]: ...
    def __call__(self, *args: Any, stream: Any = None) -> None: ...

class TunedKernel(Kernel):
    def best(self, *args: Any, grid: Any = None, **named: Any) -> dict[str, Any]: ...

def kernel(
    program: str | PathLike[str],
    defines: Mapping[str, Any] | None = None,
    entry: str | None = None,
    *,
    backend: Literal["cpu", "interp", "sim", "cuda"] = "cpu",
    chip: str | None = None,
    check: Literal["interp"] | None = None,
    bounds: Literal["tensor", "storage"] = "tensor",
    includes: Sequence[str | PathLike[str]] = (),
    options: Sequence[str] = (),
    tile_run: str | PathLike[str] | None = None,
    timeout: float = 600.0,
    key: Sequence[str] | None = None,
    tune: Mapping[str, Any] | None = None,
) -> Kernel | BundleKernel: ...

class Configuration:
    values: dict[str, str]
    cost: float | None
    least: float | None
    most: float | None
    ratio: float | None
    predicted: float | None
    reason: str

class Tuned:
    options: tuple[str, ...]
    command: str
    unit: Literal["ms", "us"]
    configurations: list[Configuration]
    stop: str
    was_known: bool
    page: str
    @property
    def best(self) -> Configuration: ...

def tune(
    program: str | PathLike[str] | Operation,
    *args: Any,
    defines: Mapping[str, Any] | None = None,
    space: str | Mapping[str, Sequence[Any]] | None = None,
    where: str | None = None,
    grid: int | Sequence[int] | None = None,
    entry: str | None = None,
    measure: Literal["cpu", "sim", "cuda"] = "cpu",
    chip: str | None = None,
    pipeline: str | None = None,
    check: bool = True,
    check_args: Sequence[Any] | None = None,
    key: Sequence[int] | None = None,
    effort: Literal["quick", "full"] = "quick",
    rounds: int = 12,
    repeat: int = 5,
    jobs: int | None = None,
    budget: int | None = None,
    timeout: int = 60,
    memory: int = 8192,
    candidates: int = 128,
    cache: str | PathLike[str] | None = None,
    progress: bool | Callable[[str], Any] = True,
    options: Sequence[str] = (),
    includes: Sequence[str | PathLike[str]] = (),
    tile_run: str | PathLike[str] | None = None,
) -> Tuned: ...
def cache_info() -> CacheInfo: ...
def clear_cache() -> None: ...
def set_cache_limit(operations: int) -> None: ...
