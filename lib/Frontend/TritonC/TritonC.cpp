//===- TritonC.cpp - Import of Triton-C -----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Frontend/TritonC/TritonC.h"

#include "tileir/Frontend/TritonC/Analyzer.h"
#include "tileir/Frontend/TritonC/Parser.h"

#include "mlir/IR/Verifier.h"

namespace tileir::triton_c {

llvm::LogicalResult readProgram(const Options &options, Program &program,
                                Diagnostics &diagnostics) {
  Preprocessor preprocessor(diagnostics, options);
  std::vector<Token> tokens = preprocessor.run();
  // What would be found in broken text are guesses; likewise with trees.
  if (diagnostics.hasErrors())
    return llvm::failure();
  program.macroNames = preprocessor.getMacroNames();
  llvm::append_range(program.tunables, preprocessor.getTunables());
  Parser(tokens, program, diagnostics).parseFile();
  if (diagnostics.hasErrors())
    return llvm::failure();
  Analyzer(program, preprocessor, diagnostics).run();
  return llvm::failure(diagnostics.hasErrors());
}

mlir::OwningOpRef<mlir::ModuleOp> importTritonC(llvm::SourceMgr &sources,
                                                const Options &options,
                                                mlir::MLIRContext *context) {
  Diagnostics diagnostics(sources);
  Program program;
  llvm::LogicalResult read = readProgram(options, program, diagnostics);
  diagnostics.print(llvm::errs());
  if (failed(read))
    return nullptr;
  auto module = emitProgram(program, sources, context);
  if (failed(mlir::verify(*module)))
    return nullptr;
  return module;
}

} // namespace tileir::triton_c
