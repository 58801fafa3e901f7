//===- LiftLocations.h ------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source lines of the functions of a .ptx file: what .loc says, with the calls
// that were inlined, else the lines of the file itself.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_PTX_LIFTLOCATIONS_H
#define TILEIR_LIB_SIMULATOR_PTX_LIFTLOCATIONS_H

#include "PTX/Syntax.h"

#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugLoc.h"

namespace tileir::sim::ptx {

class LocationLifter {
public:
  LocationLifter(const File &file, llvm::StringRef name, llvm::Module &module);

  /// Begins the function, which `made` becomes.
  void begin(const Function &function, llvm::Function &made);
  /// Where a statement of the function comes from. Statements are asked for in
  /// their order, as a .loc holds up to the next one.
  llvm::DebugLoc get(const Statement &statement);
  void finish() { debug.finalize(); }

private:
  /// `depth`: of the calls that were inlined.
  struct Known {
    llvm::DILocation *location;
    unsigned depth;
  };

  llvm::DISubprogram *makeSubprogram(llvm::StringRef name, unsigned line);
  /// The function that a location is in; null: none that is known.
  llvm::DISubprogram *getCallee(const Location &location);
  llvm::DILocation *make(const SourcePlace &place, llvm::DISubprogram *scope,
                         llvm::DILocation *inlinedAt);
  void add(const Location &location);

  const File &file;
  llvm::LLVMContext &context;
  llvm::DIBuilder debug;
  llvm::DICompileUnit *unit;
  std::map<std::string, llvm::DISubprogram *> callees;
  std::map<std::pair<llvm::DISubprogram *, unsigned>, llvm::DIScope *> scopes;

  // Of the present function.
  llvm::DISubprogram *subprogram = nullptr;
  bool hasLocations = false;
  llvm::DebugLoc present;
  /// The last .loc of each place: calls that were inlined there were inlined
  /// into what that one says.
  std::map<SourcePlace, Known> places;
};

} // namespace tileir::sim::ptx

#endif // TILEIR_LIB_SIMULATOR_PTX_LIFTLOCATIONS_H
