//===- Jit.h - From LLVM IR to functions of this process --------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one JIT: CpuProgram and TensorOperation compile by it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_RUNTIME_JIT_H
#define TILEIR_RUNTIME_JIT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <vector>

namespace llvm {
class Module;
class SectionMemoryManager;
class TargetMachine;
} // namespace llvm

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace tileir::runtime {

/// A function of this process that compiled code calls by name.
struct HostFunction {
  template <typename Function>
  HostFunction(llvm::StringRef name, Function *function)
      : name(name), address(reinterpret_cast<void *>(function)) {}

  llvm::StringRef name;
  void *address;
};

/// The function that compiled code calls by `name`: one of those that TileIR
/// brings (OpenMP's, copies of memrefs, conversions of 16-bit floats), or one
/// of the process; or null.
void *findHostFunction(llvm::StringRef name);

/// Code in memory, which goes with this: destructors of its module run then.
class JitCode {
public:
  ~JitCode();

  /// The address of the function that it was made for.
  void *getEntry() const { return entry; }

private:
  friend class Jit;
  JitCode();

  std::unique_ptr<llvm::SectionMemoryManager> memory;
  void *entry = nullptr;
  void (*destructors)() = nullptr;
};

/// Compiles for the CPU of this process. Making one takes longer than looking
/// at a module, so that it is worth keeping. Not to be used by two threads at
/// once.
class Jit {
public:
  static llvm::Expected<std::unique_ptr<Jit>> create();
  ~Jit();

  /// Prepares `module` for `generate`: sets its target and, above the level
  /// `None`, runs LLVM's pipeline of that level.
  void optimize(llvm::Module &module, llvm::CodeGenOptLevel level);

  /// An object file. Global constructors and destructors of `module` become
  /// functions, which `link` finds.
  llvm::Expected<llvm::SmallVector<char, 0>>
  generate(llvm::Module &module, llvm::CodeGenOptLevel level);

  /// Both of these, of a large module in parts that run in parallel where
  /// `context`, of MLIR, has threads: object files that `link` puts together.
  static llvm::Expected<std::vector<llvm::SmallVector<char, 0>>>
  compile(llvm::Module &module, llvm::CodeGenOptLevel level,
          mlir::MLIRContext &context);

  /// Makes the code of objects callable, by the function `entry`. It may call
  /// `functions`, before those that `findHostFunction` knows. Global
  /// constructors run here.
  static llvm::Expected<std::unique_ptr<JitCode>>
  link(llvm::ArrayRef<llvm::SmallVector<char, 0>> objects,
       llvm::StringRef entry, llvm::ArrayRef<HostFunction> functions);

private:
  Jit();
  std::unique_ptr<llvm::TargetMachine> machine;
};

/// Adds the function `name` to `module`, which calls `callee`, whose arguments
/// are pointers. It takes an array of them, `void(ptr array)`, or, with
/// `hasLast`, the last one by itself, `void(ptr array, ptr last)`: a few loads
/// and a jump.
void addArrayCall(llvm::Module &module, llvm::StringRef callee,
                  llvm::StringRef name, bool hasLast);

} // namespace tileir::runtime

#endif // TILEIR_RUNTIME_JIT_H
