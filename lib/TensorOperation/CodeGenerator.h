//===- CodeGenerator.h - From LLVM IR to a function -------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_TENSOROPERATION_CODEGENERATOR_H
#define TILEIR_LIB_TENSOROPERATION_CODEGENERATOR_H

#include "tileir/Runtime/TensorOperation.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
class SectionMemoryManager;
class TargetMachine;
} // namespace llvm

namespace tileir {

/// Where the code of an operation lies; it goes with this.
struct OperationCode {
  OperationCode();
  ~OperationCode();
  std::unique_ptr<llvm::SectionMemoryManager> memory;
};

/// Generates code for this machine. Not to be used by two threads at once.
class CodeGenerator {
public:
  static llvm::Expected<std::unique_ptr<CodeGenerator>> create();
  ~CodeGenerator();

  /// Sets the target of a module.
  void setTarget(llvm::Module &module) const;

  /// Runs LLVM's optimizer of level 3.
  void optimize(llvm::Module &module) const;

  /// An object file.
  llvm::Expected<llvm::SmallVector<char, 0>> generate(llvm::Module &module);

  /// The address of function `name` of an object file, whose code `code` gets.
  static llvm::Expected<void *> link(const llvm::SmallVectorImpl<char> &object,
                                     llvm::StringRef name, OperationCode &code);

private:
  CodeGenerator();
  std::unique_ptr<llvm::TargetMachine> machine;
};

} // namespace tileir

#endif // TILEIR_LIB_TENSOROPERATION_CODEGENERATOR_H
