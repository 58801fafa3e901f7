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

FirstTouch tileir::getFirstTouch(Primitive primitive) {
  switch (primitive) {
  case Primitive::None:
  case Primitive::Load:
    return FirstTouch::Load;
  case Primitive::Bias:
    return FirstTouch::Bias;
  default:
    return FirstTouch::Zero;
  }
}

Expected<OwningOpRef<ModuleOp>>
tileir::makeModule(MLIRContext *context, const OperationFunction &function) {
  ErrorCollector errors(context);
  OwningOpRef<ModuleOp> module = buildModule(context, function);
  if (failed(mlir::verify(*module)))
    return errors.take("the function of the operation is not valid");
  return module;
}

Error tileir::setSchedule(ModuleOp module, bool isRequired,
                          llvm::function_ref<ScheduleAttr(ContractOp)> make) {
  ErrorCollector errors(module.getContext());
  bool isValid = true;
  module.walk([&](ContractOp op) {
    ScheduleAttr schedule = make(op);
    if (!schedule) {
      isValid &= !isRequired;
      return;
    }
    op.setScheduleAttr(schedule);
    isValid &= succeeded(mlir::verify(op));
  });
  if (!isValid)
    return errors.take("the schedule of the operation is not valid");
  return Error::success();
}

ScheduleAttr tileir::makeSchedule(ContractOp op, FirstTouch first,
                                  MainPrimitive main, bool relu,
                                  ArrayRef<DimAttr> dims) {
  auto emitError = [&] { return op.emitOpError(); };
  llvm::function_ref<InFlightDiagnostic()> emit = emitError;
  return ScheduleAttr::getChecked(
      emit, op.getContext(), first, main,
      relu ? LastTouch::Relu : LastTouch::None, dims, /*lanes=*/int64_t(-1),
      /*tile=*/ArrayRef<int64_t>(), /*unroll=*/int64_t(0),
      /*prefetch=*/int64_t(0), /*pack=*/ArrayRef<int64_t>());
}
