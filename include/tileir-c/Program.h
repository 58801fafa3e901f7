/*===- tileir-c/Program.h - Functions compiled in process by C ----*- C -*-===*\
|*                                                                            *|
|* Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* What TileIRPlugin.so brings beside dialects and passes, for who uses MLIR  *|
|* by its C interface: code for this CPU by the JIT that tile-run uses, and   *|
|* programs whose kernels run on a GPU, on a stream of the caller.            *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef TILEIR_C_PROGRAM_H
#define TILEIR_C_PROGRAM_H

#include "mlir-c/IR.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The version of these functions, which is another one where they change. */
#define TILEIR_PROGRAM_VERSION 2

typedef struct {
  uint32_t version;
  /** Describes this CPU to passes, unless the module describes one. */
  void (*attachHostMachine)(MlirModule module);
  /** Code for the function `entry` of a module in the LLVM dialect, which had
   *  the attribute llvm.emit_c_interface, or takes pointers alone
   *  (bare-pointers of einsum-to-cpu-pipeline); null after an error, which is a
   * diagnostic of the module. */
  void *(*compile)(MlirModule module, MlirStringRef entry);
  /** Calls it, with pointers to descriptors of memrefs: that of all results
   *  first, if there are any; or with its pointers. Several threads may. */
  void (*run)(void *code, void **arguments);
  /** Takes back the memory of a result. */
  void (*releaseMemory)(void *memory);
  void (*releaseCode)(void *code);

  /** Tells `chip` what passes call the GPU `device` of the driver (their option
   *  `chip`). Returns 0 after an error, which `error` is told. */
  int (*getGpuChip)(int device, MlirStringCallback chip,
                    MlirStringCallback error, void *userData);
  /** Code for the function `entry` of a module whose kernels passes have
   *  lowered (einsum-to-nvvm-pipeline, tile-to-nvvm-pipeline), for a GPU. It
   *  had the attribute llvm.emit_c_interface. Arguments with tile.on_device are
   *  memory of that GPU; all others, and results, are memory of the host. Null
   *  after an error, which is a diagnostic of the module. */
  void *(*compileForGpu)(MlirModule module, MlirStringRef entry, int device);
  /** Calls it as `run` does. Kernels, and copies for them, are put on `stream`
   *  (a CUstream; null: the default one), and nothing waits for them: what host
   *  code reads is what it was given, or what it waits for. Returns 0 after an
   *  error, which `error` is told. Several threads may; they come one after the
   *  other. */
  int (*runOnGpu)(void *code, void **arguments, void *stream,
                  MlirStringCallback error, void *userData);
  void (*releaseGpuCode)(void *code);
} TileirProgramFunctions;

/** Of the plugin, by dlsym. */
TileirProgramFunctions tileirGetProgramFunctions(void);

#ifdef __cplusplus
}
#endif

#endif /* TILEIR_C_PROGRAM_H */
