//===- MachineAttr.cpp - #einsum.machine ----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Detection asks LLVM for the CPU's name and features and the operating system
// for caches and cores. What no interface tells, how many multiply-adds and dot
// products start in a cycle, is a table by name.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/IR/Einsum.h"
#include "tileir/Dialect/Einsum/IR/Schedule.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Threading.h"
#include "llvm/TargetParser/Host.h"

#include <unistd.h>

using namespace mlir;
using namespace tileir::einsum;

LogicalResult MachineAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  StringRef, int64_t vectorBits,
                                  int64_t registers, int64_t fma,
                                  int64_t latency, int64_t l1, int64_t l2,
                                  int64_t l3, int64_t cores, bool) {
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

/// Bytes of a cache, or `otherwise` where the system does not tell.
static int64_t getCacheSize(int name, int64_t otherwise) {
  long size = sysconf(name);
  return size > 0 ? size : otherwise;
}

MachineAttr MachineAttr::detect(MLIRContext *context) {
  static const auto features = llvm::sys::getHostCPUFeatures();
  static const std::string cpu = llvm::sys::getHostCPUName().str();
  auto has = [&](StringRef feature) { return features.lookup(feature); };
  bool isWide = has("avx512f");
  int64_t vectorBits = isWide ? 512 : has("avx2") ? 256 : 128;
  int64_t registers = isWide || has("neon") ? 32 : 16;
  // Zen 4 forms a 512-bit multiply-add from two halves.
  int64_t fma = cpu == "znver4" ? 1 : 2;
  // Sapphire Rapids starts a vdpbf16ps every other cycle, which is half of what
  // multiply-adds of f32 do.
  bool bf16 = has("avx512bf16") && StringRef(cpu).starts_with("znver");
  static const int64_t l1 = getCacheSize(_SC_LEVEL1_DCACHE_SIZE, 32 << 10),
                       l2 = getCacheSize(_SC_LEVEL2_CACHE_SIZE, 1 << 20),
                       l3 = getCacheSize(_SC_LEVEL3_CACHE_SIZE, 8 << 20),
                       cores =
                           llvm::hardware_concurrency().compute_thread_count();
  return get(context, cpu, vectorBits, registers, fma, /*latency=*/4, l1, l2,
             l3, cores, bf16);
}

MachineAttr MachineAttr::find(Operation *op) {
  MLIRContext *context = op->getContext();
  for (; op; op = op->getParentOp())
    if (auto machine = op->getAttrOfType<MachineAttr>(kMachineAttr))
      return machine;
  return detect(context);
}
