//===- Handlers.cpp -------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses the handlers of the best instruction set that this host has.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

using namespace tileir::sim;

namespace tileir::sim::baseline {
void addHandlers(Handler *table);
}
#ifdef TILEIR_SIM_HAVE_AVX2
namespace tileir::sim::avx2 {
void addHandlers(Handler *table);
}
#endif

void tileir::sim::getHandlers(Handler *table) {
#ifdef TILEIR_SIM_HAVE_AVX2
  if (__builtin_cpu_supports("x86-64-v3"))
    return avx2::addHandlers(table);
#endif
  baseline::addHandlers(table);
}

void tileir::sim::bindHandlers(Program &program) {
  static const std::vector<Handler> table = [] {
    std::vector<Handler> handlers(kNumOpcodes);
    getHandlers(handlers.data());
    return handlers;
  }();
  for (Instr &instr : program.code) {
    instr.handler = table[unsigned(instr.opcode)];
    if (instr.opcode == Opcode::Block || instr.opcode == Opcode::BlockBehind)
      instr.extra = program.blocks[instr.imm].count;
  }
}
