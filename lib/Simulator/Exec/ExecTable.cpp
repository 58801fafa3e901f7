//===- ExecTable.cpp ------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All handlers of one instruction set.
//
//===----------------------------------------------------------------------===//

#include "Exec/Exec.h"

void tileir::sim::TILEIR_SIM_ISA::addHandlers(Handler *table) {
  addIntegerHandlers(table);
  addFloatHandlers(table);
  addMathHandlers(table);
  addConvertHandlers(table);
  addControlHandlers(table);
  addWarpHandlers(table);
  addMemoryHandlers(table);
  addAtomicHandlers(table);
  addCopyHandlers(table);
  addMmaHandlers(table);
  addTextureHandlers(table);
  addWgmmaHandlers(table);
  addBulkHandlers(table);
  addMBarrierHandlers(table);
}
