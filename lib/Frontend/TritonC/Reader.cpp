//===- Reader.cpp - From text to typed trees ------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Frontend/TritonC/Reader.h"

#include "tileir/Frontend/TritonC/Analyzer.h"
#include "tileir/Frontend/TritonC/Parser.h"

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

} // namespace tileir::triton_c
