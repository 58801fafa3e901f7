# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks Triton for a kernel's IR.

Triton compiles as always, by its backend for NVIDIA's GPUs, but stops at the stage that is run here: "ttir", or "llir".
Its launcher gets that text as the binary, so caches, hooks, heuristics and autotuners work unchanged, and neither ptxas
nor a GPU is needed.
"""

import re

KERNEL = re.compile(r'tt\.func public @(?:"([^"]*)"|([\w.$]+))|define[^@]*ptx_kernel[^@]*@(?:"([^"]*)"|([\w.$]+))')

# What later stages of Triton would have told the launcher, where no such stage runs.
DEFAULTS = {
    "shared": 0,
    "tmem_size": 0,
    "global_scratch_size": 0,
    "global_scratch_align": 1,
    "profile_scratch_size": 0,
    "profile_scratch_align": 1,
    "tensordesc_meta": [],
    "cluster_dims": (1, 1, 1),
}


def name_of(text):
    """The name of the kernel in Triton's IR or in LLVM IR."""
    found = KERNEL.search(text)
    return next(name for name in found.groups() if name) if found else "kernel"


def make_compiler(base, last):
    """A subclass of Triton's compiler for NVIDIA GPUs that stops after stage `last`."""

    class Compiler(base):
        def __init__(self, target):
            super().__init__(target)
            self.binary_ext = last

        def hash(self):
            return f"tileir-{last}-{self.target.arch}"

        def add_stages(self, stages, options, *language):
            super().add_stages(stages, options, *language)
            names = list(stages)
            for name in names[names.index(last) + 1:]:
                del stages[name]
            compile_last = stages[last]

            def finish(source, metadata):
                text = str(compile_last(source, metadata))
                for key, value in DEFAULTS.items():
                    metadata.setdefault(key, value)
                metadata.setdefault("name", name_of(text))
                return text.encode()

            stages[last] = finish

    return Compiler
