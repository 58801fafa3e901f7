# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TileIR from Python. `tileir.einsum` compiles contractions of NumPy arrays; `tileir.kernel` runs kernels of
tiles, and `tileir.triton` kernels of Triton, without a GPU.

What is here is loaded when it is asked for: `tileir.triton` needs no compiled module.
"""

_MODULES = {
    "errors": ("CheckError", "CompileError", "CopyWarning", "ShapeError", "SpecError", "TuneWarning"),
    "operations": ("CacheInfo", "Operation", "Path", "cache_info", "clear_cache", "compile", "einsum", "einsum_path",
                   "set_cache_limit"),
    "_drawings": ("Drawing",),
    "_launch.errors": ("ArgumentError", "Finding", "KernelFault", "LaunchError", "RunError", "TileIRError"),
    "bundles": ("BundleKernel",),
    "kernels": ("Kernel", "kernel"),
    "programs": ("run",),
    "tuned_kernels": ("TunedKernel",),
    "tuning": ("Configuration", "TuneError", "Tuned", "tune"),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}
__all__ = sorted(_HOMES)


def __getattr__(name):
    if name == "ir":  # a module of its own, loaded when it is asked for, too
        from importlib import import_module

        return import_module("tileir.ir")
    if name not in _HOMES:
        raise AttributeError(f"module 'tileir' has no attribute '{name}'")
    from importlib import import_module

    value = getattr(import_module(f"tileir.{_HOMES[name]}"), name)
    globals()[name] = value  # found at once from now on
    return value


def __dir__():
    return sorted({*globals(), *__all__})
