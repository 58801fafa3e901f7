//===- PrintfToLLVM.cpp - convert-printf-to-llvm --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream lowers gpu.printf for GPUs alone. For the CPU the C library prints:
// the op's arguments, i32, i64 or f64, are passed as they are.
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/PrintfToLLVM/PrintfToLLVM.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace tileir {
#define GEN_PASS_DEF_CONVERTPRINTFTOLLVMPASS
#include "tileir/Conversion/Passes.h.inc"
} // namespace tileir

using namespace mlir;
using namespace tileir;

namespace {
struct ConvertPrintfToLLVMPass
    : tileir::impl::ConvertPrintfToLLVMPassBase<ConvertPrintfToLLVMPass> {
  void runOnOperation() override {
    SmallVector<gpu::PrintfOp> prints;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<gpu::GPUModuleOp>(op))
        return WalkResult::skip();
      if (auto print = dyn_cast<gpu::PrintfOp>(op))
        prints.push_back(print);
      return WalkResult::advance();
    });
    for (gpu::PrintfOp print : prints)
      for (Type type : print.getArgs().getTypes())
        if (!type.isInteger(32) && !type.isInteger(64) && !type.isF64()) {
          print.emitOpError("convert-printf-to-llvm expects arguments of i32, "
                            "i64 and f64, found ")
              << type;
          return signalPassFailure();
        }
    Operation *known = getOperation().lookupSymbol("printf");
    if (!prints.empty() && known && !isa<LLVM::LLVMFuncOp>(known)) {
      prints.front().emitOpError(
          "convert-printf-to-llvm expects @printf to be "
          "C's, found another symbol of this name: rename "
          "it");
      return signalPassFailure();
    }
    texts.clear(); // of another module
    llvm::for_each(prints, [&](gpu::PrintfOp print) { convert(print); });
    numPrints += prints.size();
  }

private:
  void convert(gpu::PrintfOp print) {
    OpBuilder builder(print);
    Location loc = print.getLoc();
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    auto type = LLVM::LLVMFunctionType::get(builder.getI32Type(), pointer,
                                            /*isVarArg=*/true);
    SmallVector<Value> arguments{
        LLVM::AddressOfOp::create(builder, loc, pointer, getText(print))};
    llvm::append_range(arguments, print.getArgs());
    LLVM::CallOp::create(builder, loc, type, "printf", arguments);
    print.erase();
    ModuleOp module = getOperation();
    if (module.lookupSymbol("printf"))
      return;
    builder.setInsertionPointToStart(module.getBody());
    LLVM::LLVMFuncOp::create(builder, module.getLoc(), "printf", type);
  }

  /// The name of a constant that holds the format.
  StringRef getText(gpu::PrintfOp print) {
    std::string format = print.getFormat().str() + '\0';
    LLVM::GlobalOp &text = texts[format];
    if (!text) {
      ModuleOp module = getOperation();
      OpBuilder builder(module.getContext());
      auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), format.size());
      text = LLVM::GlobalOp::create(builder, print.getLoc(), type,
                                    /*isConstant=*/true,
                                    LLVM::Linkage::Internal, "printf_format",
                                    builder.getStringAttr(format));
      SymbolTable(module).insert(text, module.getBody()->begin());
    }
    return text.getSymName();
  }

  llvm::StringMap<LLVM::GlobalOp> texts;
};
} // namespace
