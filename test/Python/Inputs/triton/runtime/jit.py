# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import inspect
from collections import defaultdict
from types import SimpleNamespace

from ..backends import backends
from .autotuner import Autotuner, Config  # noqa: F401
from .driver import driver

POINTERS = {"bool": "*i1", "uint8": "*u8", "int8": "*i8", "int32": "*i32", "int64": "*i64", "float16": "*fp16", "bfloat16": "*bf16",
            "float32": "*fp32", "float64": "*fp64", "float8_e5m2": "*fp8e5"}


def type_of(value):
    if hasattr(value, "data_ptr"):
        return POINTERS[str(value.dtype).split(".")[-1]]
    if isinstance(value, tuple):
        return tuple(map(type_of, value))
    if value is None or type(value) is int and value == 1:
        return "constexpr"
    return {bool: "u1", int: "i32", float: "fp32"}[type(value)]


class JITFunction:
    """A kernel. Parameters with an annotation are constants."""

    def __init__(self, function):
        self.fn, self.__name__ = function, function.__name__
        self.signature = inspect.signature(function)
        self.arg_names = list(self.signature.parameters)
        self.device_caches = defaultdict(dict)

    def __getitem__(self, grid):
        return lambda *args, **kwargs: self.run(*args, grid=grid, warmup=False, **kwargs)

    def run(self, *args, grid, warmup, num_warps=4, **kwargs):
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        values = bound.arguments
        types = {name: "constexpr" if self.signature.parameters[name].annotation is not inspect.Parameter.empty else type_of(value)
                 for name, value in values.items()}
        # As Triton does: what has been compiled for a device stays, with its launcher.
        device = driver.active.get_current_device()
        cache, key = self.device_caches[device], (num_warps, *types.items())
        if key not in cache:
            kernel, metadata = self.compile(num_warps)
            launcher = driver.active.launcher_cls(SimpleNamespace(signature=types, fn=self), metadata)
            _, function, *_ = driver.active.utils.load_binary(metadata.name, kernel, metadata.shared, device)
            cache[key] = kernel, function, launcher
        kernel, function, launcher = cache[key]
        if warmup:
            return kernel
        sizes = grid(values) if callable(grid) else grid
        x, y, z = (*sizes, 1, 1)[:3]
        launcher(x, y, z, driver.active.get_current_stream(0), function, None, None, None, None, *values.values())

    def compile(self, num_warps):
        compiler = backends["nvidia"].compiler(driver.active.get_current_target())
        compiler.hash()
        stages, metadata = {}, {"num_warps": num_warps, "num_ctas": 1}
        compiler.add_stages(stages, {"name": self.__name__}, "triton")
        text = self.__name__
        for stage in stages.values():
            text = stage(text, metadata)
        assert isinstance(text, bytes) and compiler.binary_ext == list(stages)[-1]
        return text, SimpleNamespace(**metadata)


def jit(function):
    return JITFunction(function)


def autotune(configs):
    return lambda fn: Autotuner(fn, configs)


class Heuristics:
    def __init__(self, fn, values):
        self.fn, self.values, self.arg_names = fn, values, fn.arg_names

    def __getitem__(self, grid):
        return lambda *args, **kwargs: self.run(*args, grid=grid, warmup=False, **kwargs)

    def run(self, *args, **kwargs):
        for name, function in self.values.items():
            kwargs[name] = function({**dict(zip(self.arg_names, args)), **kwargs})
        return self.fn.run(*args, **kwargs)


def heuristics(values):
    return lambda fn: Heuristics(fn, values)
