//===- SimulatorDecode.h ----------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decodes kernels given as LLVM IR text as they are, without any pass, for
// tests that look at programs.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TEST_UNIT_SIMULATOR_SIMULATORDECODE_H
#define TILEIR_TEST_UNIT_SIMULATOR_SIMULATORDECODE_H

#include "Decode/Decoder.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include "gtest/gtest.h"

namespace tileir::sim::test {

/// A program, or why there is none.
struct Decoded {
  Program program;
  std::string error;

  /// "Block Load Store Return": the opcodes in order.
  std::string opcodes() const {
    std::string text;
    for (const Instr &instr : program.code)
      text +=
          (text.empty() ? "" : " ") + std::string(getInfo(instr.opcode).name);
    return text;
  }
  /// "Load 4x2+8 Store 16": opcode and bytes, elements (where there are
  /// several) and offset (where not 0) of each access.
  std::string accesses() const {
    std::string text;
    for (const Access &access : program.accesses) {
      const Instr &instr = program.code[access.instr];
      EXPECT_EQ(instr.opcode, access.opcode);
      EXPECT_EQ(&program.accesses[instr.extra], &access);
      EXPECT_EQ(access.bytes, access.elementBytes * access.elements);
      text += (text.empty() ? "" : " ") +
              std::string(getInfo(access.opcode).name) + " " +
              std::to_string(access.elementBytes);
      if (access.elements > 1)
        text += "x" + std::to_string(access.elements);
      if (instr.imm)
        text += (instr.imm > 0 ? "+" : "") + std::to_string(instr.imm);
    }
    return text;
  }
  unsigned count(Opcode opcode) const {
    unsigned count = 0;
    for (const Instr &instr : program.code)
      count += instr.opcode == opcode;
    return count;
  }
  /// The value of the constant in a slot.
  uint64_t constantOf(uint32_t slot) const {
    for (const Preset &preset : program.presets)
      if (preset.slot == slot && !preset.isArgument)
        return preset.value;
    ADD_FAILURE() << "no constant in slot " << slot;
    return 0;
  }
  const Instr *find(Opcode opcode) const {
    for (const Instr &instr : program.code)
      if (instr.opcode == opcode)
        return &instr;
    return nullptr;
  }
};

/// Decodes the first kernel of a module; the target is added.
inline std::unique_ptr<Decoded>
decode(const std::string &body, const llvm::StringMap<uint64_t> &globals = {}) {
  auto decoded = std::make_unique<Decoded>();
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(
      "target triple = \"nvptx64-nvidia-cuda\"\n"
      "target datalayout = \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-"
      "n16:32:64\"\n" +
          body,
      diagnostic, context);
  if (!module) {
    decoded->error = diagnostic.getMessage().str();
    ADD_FAILURE() << diagnostic.getLineNo() << ": " << decoded->error;
    return decoded;
  }
  for (llvm::Function &function : *module) {
    if (function.isDeclaration())
      continue;
    if (llvm::Error error = Decoder(function, globals, decoded->program).run())
      decoded->error = llvm::toString(std::move(error));
    break;
  }
  return decoded;
}

/// The kernel @k(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n, i1 %c) with
/// these instructions.
inline std::unique_ptr<Decoded> decodeBody(const std::string &body) {
  return decode("define ptx_kernel void @k(ptr addrspace(1) %p, ptr "
                "addrspace(1) %q, i32 %n, i1 %c) {\n" +
                body + "}\n");
}

} // namespace tileir::sim::test

#endif // TILEIR_TEST_UNIT_SIMULATOR_SIMULATORDECODE_H
