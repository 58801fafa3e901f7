# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
class Config:
    def __init__(self, kwargs, num_warps=4):
        self.kwargs, self.num_warps = kwargs, num_warps

    def all_kwargs(self):
        return {**self.kwargs, "num_warps": self.num_warps}


class Autotuner:
    """Measures where there are two configurations or more; releases before 3.9 do even for one that is left."""

    def __init__(self, fn, configs):
        self.fn, self.configs, self.arg_names, self.best = fn, configs, fn.arg_names, None
        self.cache = {}

    def prune_configs(self, kwargs):
        return self.configs

    def _bench(self, *args, config, **meta):
        raise AssertionError("measures on a GPU")

    def __getitem__(self, grid):
        return lambda *args, **kwargs: self.run(*args, grid=grid, warmup=False, **kwargs)

    def run(self, *args, **kwargs):
        self.nargs = dict(zip(self.arg_names, args))
        key = tuple(str(value.dtype) for value in args if hasattr(value, "dtype"))
        if key not in self.cache:
            timings = {config: self._bench(*args, config=config, **kwargs) for config in self.prune_configs(kwargs)}
            self.cache[key] = min(timings, key=timings.get)
        self.best = self.cache[key]
        return self.fn.run(*args, **kwargs, **self.best.all_kwargs())
