# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from dataclasses import dataclass

from .compiler import NvidiaCompiler


@dataclass(frozen=True)
class Backend:
    compiler: type
    driver: type


backends = {"nvidia": Backend(NvidiaCompiler, object)}
