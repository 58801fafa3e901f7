# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Autotuned kernels run by one configuration: there are no times to choose by."""


def choose(configs, choice, arguments):
    """One of `configs`: by its number, or by a function."""
    configs = list(configs)
    return choice(configs, arguments) if callable(choice) else configs[min(choice, len(configs) - 1)]


def replace(choice):
    """Lets autotuners find one configuration, and measure nothing; returns what undoes that."""
    from triton.runtime.autotuner import Autotuner
    from triton.runtime.errors import OutOfResources

    prune, bench = Autotuner.prune_configs, Autotuner._bench

    def fits(tuner, config, kwargs):
        """Whether the chip has what the kernel needs, as far as Triton's stages tell. Compiles it, and caches that."""
        try:
            kernel = tuner.fn.run(*tuner.nargs.values(), **{**kwargs, **config.all_kwargs(), "warmup": True})
            if hasattr(kernel, "_init_handles"):
                kernel._init_handles()
        except OutOfResources:
            return False
        return True

    def prune_configs(self, kwargs):
        configs = prune(self, kwargs)
        chosen = choose(configs, choice, {**self.nargs, **kwargs})
        if not callable(choice) and len(configs) > 1:
            chosen = next((config for config in [chosen, *configs] if fits(self, config, kwargs)), chosen)
        return [chosen]

    def measure(self, *args, config, **meta):
        return [1.0, 1.0, 1.0]

    Autotuner.prune_configs, Autotuner._bench = prune_configs, measure

    def undo():
        Autotuner.prune_configs, Autotuner._bench = prune, bench

    return undo
