//===- ChipCheck.cpp -----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which chips have the instructions that not all have: an instruction that the
// chip lacks is an error, as it is for the assembler. The PTX ISA says of each
// what it needs.
//
//===----------------------------------------------------------------------===//

#include "Load/LoadModule.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Path.h"

#include <optional>

using namespace llvm;

namespace tileir::sim {

/// The least compute capability of an mma, by what follows llvm.nvvm.mma.
static uint32_t getMmaCapability(StringRef name) {
  if (name.contains(".e4m3") || name.contains(".e5m2"))
    return 89;
  if (name.starts_with("m16") && name.ends_with(".f64"))
    return 90;
  if (name.contains(".bf16") || name.contains(".tf32") ||
      name.ends_with(".f64") || name.starts_with("m16n8k16") ||
      name.starts_with("m16n8k32"))
    return 80;
  if (name.starts_with("m16n8k8") || name.starts_with("m8n8k16"))
    return 75;
  return 70;
}

/// The least compute capability that a function needs.
static uint32_t getCapability(StringRef name) {
  static const std::pair<StringRef, uint32_t> needs[] = {
      {"ldmatrix.", 75},
      {"cp.async.", 80},
      {"redux.sync.", 80},
      {"stmatrix.", 90},
      {"elect.sync", 90},
      {"griddepcontrol.", 90},
      {"mbarrier.", 80},
      {"barrier.cluster.", 90},
      {"mapa", 90},
      {"tensormap.", 90},
      {"st.async.", 90},
      {"red.async.", 90},
      {"getctarank", 90},
      {"is_explicit_cluster", 90},
      {"isspacep.shared.cluster", 90},
      {"read.ptx.sreg.cluster", 90},
      {"read.ptx.sreg.ncluster", 90},
      {"fence.sc.cluster", 90},
      {"fence.mbarrier_init.", 90}};
  if (name.consume_front("mma."))
    return getMmaCapability(name);
  for (auto [prefix, capability] : needs)
    if (name.starts_with(prefix))
      return capability;
  return 0;
}

/// What the chip would have to be, if it lacks the function.
static std::optional<std::string> getNeeded(StringRef name,
                                            const machine::Gpu &chip) {
  if (name.consume_front("tileir.ptx.wgmma.") ||
      name.starts_with("llvm.nvvm.wgmma."))
    return chip.hasWgmma() ? std::nullopt
                           : std::optional(machine::getGpuName(90) + "a");
  const bool isOwn = name.consume_front("tileir.ptx.");
  if (!name.consume_front("llvm.nvvm.") && !isOwn)
    return std::nullopt;
  if (isOwn && !name.starts_with("tensormap.") &&
      !name.starts_with("st.async.") && !name.starts_with("red.async."))
    return std::nullopt;
  if (name.starts_with("setmaxnreg.") || name.starts_with("tensormap.replace"))
    return chip.hasSetmaxnreg()
               ? std::nullopt
               : std::optional(machine::getGpuName(90) + "a, or a later 'a'");
  uint32_t capability = getCapability(name);
  if (capability <= chip.computeCapability)
    return std::nullopt;
  return machine::getGpuName(capability) + " or later";
}

Error checkChip(const Function &kernel, const machine::Gpu &chip) {
  for (const Instruction &instruction : instructions(kernel)) {
    auto *call = dyn_cast<CallInst>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee)
      continue;
    std::optional<std::string> needed = getNeeded(callee->getName(), chip);
    if (!needed)
      continue;
    StringRef name = callee->getName();
    name.consume_front("tileir.ptx.");
    name.consume_front("llvm.nvvm.");
    const DILocation *where = call->getDebugLoc().get();
    std::string line = "kernel '" + kernel.getName().str() + "'";
    if (where && where->getLine())
      line = (sys::path::filename(where->getFilename()) + ":" +
              Twine(where->getLine()) + ":" + Twine(where->getColumn()))
                 .str();
    return createStringError(line + ": " + chip.name.str() + " has no '" +
                             name.str() + "': expected " + *needed);
  }
  return Error::success();
}

} // namespace tileir::sim
