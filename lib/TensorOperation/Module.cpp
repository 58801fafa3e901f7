//===- Module.cpp - Descriptions as modules -------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The code that modules of both kinds of descriptions share.
//
//===----------------------------------------------------------------------===//

#include "ModuleParts.h"

#include "mlir/IR/Verifier.h"

using namespace llvm;
using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::tensor_operation;

ErrorCollector::ErrorCollector(MLIRContext *context)
    : context(context),
      handler(context->getDiagEngine().registerHandler(
          [this](Diagnostic &diagnostic) {
            if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
              text += (text.empty() ? "" : "; ") + diagnostic.str();
          })) {}

ErrorCollector::~ErrorCollector() {
  context->getDiagEngine().eraseHandler(handler);
}

Error ErrorCollector::take(StringRef otherwise) {
  Error error = createStringError(text.empty() ? otherwise.str() : text);
  text.clear();
  return error;
}

Expected<OwningOpRef<ModuleOp>>
tensor_operation::makeModule(MLIRContext *context,
                             const OperationFunction &function) {
  ErrorCollector errors(context);
  OwningOpRef<ModuleOp> module = buildModule(context, function);
  if (failed(mlir::verify(*module)))
    return errors.take("the function of the operation is not valid");
  return module;
}
