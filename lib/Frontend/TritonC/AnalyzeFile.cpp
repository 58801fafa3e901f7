//===- AnalyzeFile.cpp - Files, kernels and constants ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Frontend/TritonC/Analyzer.h"

namespace tileir::triton_c {

void Analyzer::run() {
  scopes.emplace_back();
  for (Stmt *global : program.globals)
    analyzeGlobal(*global);
  llvm::StringMap<Kernel *> kernels;
  for (Kernel *kernel : program.kernels) {
    if (diagnostics.isFull())
      return;
    auto [it, isNew] = kernels.try_emplace(kernel->name, kernel);
    if (!isNew) {
      diagnostics.error(kernel->place,
                        "a second kernel is called '" + kernel->name + "'");
      diagnostics.note(it->second->place, "the first one is here");
    }
    analyzeKernel(*kernel);
  }
}

void Analyzer::chooseTunable(Stmt &declaration) {
  Variable &variable = *declaration.variable;
  auto tunable = llvm::find_if(program.tunables, [&](const Tunable &entry) {
    return entry.name == variable.name;
  });
  auto chosen = preprocessor.getDefinition(variable.name);
  if (tunable == program.tunables.end())
    return;
  std::string all;
  for (const std::string &value : tunable->values)
    all += (all.empty() ? "" : ", ") + value;
  if (!chosen) {
    if (tunable->values.size() > 1)
      diagnostics.warning(variable.place,
                          "'" + variable.name + "' has " +
                              llvm::Twine(tunable->values.size()) +
                              " values for a tuner: the first one, " +
                              tunable->values.front() + ", is taken");
    return;
  }
  int64_t value = 0;
  bool isThere = llvm::is_contained(tunable->values, chosen->str());
  if (!isThere || chosen->getAsInteger(0, value))
    return diagnostics.error(variable.place, "expected -D" + variable.name +
                                                 " to be one of " + all +
                                                 ", found '" + *chosen + "'");
  variable.constant = value;
}

void Analyzer::analyzeGlobal(Stmt &declaration) {
  Variable &variable = *declaration.variable;
  bool isTyped = resolveType(variable.syntax, variable.place, variable.type);
  Expr *value = declaration.value ? analyze(declaration.value) : nullptr;
  declare(variable);
  assigned.insert(&variable);
  if (!isTyped || !value || value->isError())
    return;
  bool isArray = variable.isArgument;
  if (variable.type.isTile() || (!isArray && !variable.type.isInteger()))
    return diagnostics.error(variable.place,
                             "expected an integer constant outside of a "
                             "kernel, found " +
                                 variable.type.str());
  auto constant =
      getConstant(value, isArray ? llvm::Twine("the size of 'alloc_const'")
                                 : "the value of '" + variable.name + "'");
  if (!constant)
    return;
  if (isArray && (*constant < 1 || *constant > INT32_MAX))
    return diagnostics.error(value->place, "expected a size of at least 1, "
                                           "found " +
                                               llvm::Twine(*constant));
  variable.isConst = true;
  variable.type.isConst = true;
  variable.constant =
      isArray ? *constant : wrap(variable.type.element, *constant);
  if (!isArray)
    chooseTunable(declaration);
}

void Analyzer::analyzeKernel(Kernel &kernel) {
  scopes.emplace_back();
  auto before = assigned;
  for (Variable *argument : kernel.arguments) {
    if (!resolveType(argument->syntax, argument->place, argument->type))
      continue;
    declare(*argument);
    assigned.insert(argument);
    if (argument->type.isTile())
      diagnostics.error(argument->place, "expected a scalar or a pointer as an "
                                         "argument, found " +
                                             argument->type.str());
    else if (argument->promises.multiple && !argument->type.isPointer &&
             !argument->type.isInteger())
      diagnostics.error(argument->place,
                        "expected an integer or a pointer to be a multiple, "
                        "found " +
                            argument->type.str());
    argument->type.isConst |=
        argument->type.isPointer && argument->promises.isReadOnly;
    argument->promises.isReadOnly |=
        argument->type.isPointer && argument->type.isConst;
  }
  analyzeGrid(kernel);
  analyzeBody(kernel.body->body);
  scopes.pop_back();
  assigned = std::move(before);
}

void Analyzer::analyzeGrid(Kernel &kernel) {
  isHost = true;
  for (Expr *&size : kernel.grid) {
    size = analyze(size);
    if (size->isError())
      continue;
    if (!size->type.isInteger() || size->type.isTile())
      diagnostics.error(size->place,
                        "expected an integer as a size of the grid, found " +
                            size->type.str());
    else if (size->constant && *size->constant < 1)
      diagnostics.error(size->place, "expected a size of the grid of at least "
                                     "1, found " +
                                         llvm::Twine(*size->constant));
    if (size->hasLoad)
      diagnostics.error(size->place, "expected a size of the grid that needs "
                                     "no loads");
  }
  isHost = false;
}

} // namespace tileir::triton_c
