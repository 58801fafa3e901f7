//===- MachineAttr.cpp - #einsum.machine ----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The properties of a CPU that passes need to know, from the table of CPUs.
// Nothing here asks which CPU the compiler runs on: tools do, and attach what
// they find.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/IR/Einsum.h"
#include "tileir/Dialect/Einsum/IR/Schedule.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir::einsum;

LogicalResult MachineAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  StringRef, int64_t vectorBits,
                                  int64_t registers, int64_t fma,
                                  int64_t latency, int64_t l1, int64_t l2,
                                  int64_t l3, int64_t cores, bool, bool) {
  if (!llvm::isPowerOf2_64(vectorBits) || vectorBits < 64)
    return emitError() << "expects 'vector_bits' to be a power of two from 64 "
                          "up, found "
                       << vectorBits;
  for (auto [name, value] :
       {std::pair("registers", registers), std::pair("fma", fma),
        std::pair("latency", latency), std::pair("l1", l1), std::pair("l2", l2),
        std::pair("l3", l3), std::pair("cores", cores)})
    if (value <= 0)
      return emitError() << "expects '" << name << "' to be positive, found "
                         << value;
  return success();
}

MachineAttr MachineAttr::get(MLIRContext *context,
                             const tileir::machine::Cpu &cpu) {
  return get(context, cpu.name, cpu.vectorBits, cpu.registers, cpu.fma,
             cpu.latency, cpu.l1, cpu.l2, cpu.l3, cpu.cores, cpu.bf16, cpu.amx);
}

MachineAttr MachineAttr::find(Operation *op) {
  MLIRContext *context = op->getContext();
  for (; op; op = op->getParentOp())
    if (auto machine = op->getAttrOfType<MachineAttr>(kMachineAttr))
      return machine;
  return get(context, tileir::machine::getDefaultCpu());
}

const tileir::machine::CpuCosts &MachineAttr::getCosts() const {
  return tileir::machine::getCpuCosts(getCpu());
}

bool MachineAttr::streams(double bytes) const {
  return bytes > std::min(getL3() / 2.0, getCosts().keptResult);
}
