// Builds "mk, kn -> mn" in memory, lowers it by the CPU pipeline, compiles it
// in process and calls it.
#include "tileir/InitAllDialects.h"
#include "tileir/InitAllPasses.h"
#include "tileir/Runtime/CpuProgram.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

/// func.func @product(%a: tensor<4x3xf32>, %b: tensor<3x2xf32>)
///     -> tensor<4x2xf32>
static func::FuncOp buildProduct(ModuleOp module) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = builder.getUnknownLoc();
  Type f32 = builder.getF32Type();
  auto type = builder.getFunctionType(
      {RankedTensorType::get({4, 3}, f32), RankedTensorType::get({3, 2}, f32)},
      {RankedTensorType::get({4, 2}, f32)});
  auto function = func::FuncOp::create(builder, loc, "product", type);
  builder.setInsertionPointToStart(function.addEntryBlock());
  auto spec =
      tileir::einsum::SpecAttr::parse(builder.getContext(), "mk, kn -> mn",
                                      [&](size_t) { return emitError(loc); });
  // The shape of the result is inferred from the specification.
  auto contract = tileir::einsum::ContractOp::create(builder, loc, spec,
                                                     function.getArguments());
  func::ReturnOp::create(builder, loc, contract.getResult());
  return function;
}

int main() {
  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  tileir::registerAllDialects(registry);
  // The pipeline finds its passes by name.
  mlir::registerAllPasses();
  tileir::registerAllPasses();
  MLIRContext context(registry);
  context.loadAllAvailableDialects();

  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  func::FuncOp function = buildProduct(*module);
  FunctionType type = function.getFunctionType();
  tileir::runtime::CpuProgram::prepare(function);

  PassManager manager(&context);
  tileir::buildEinsumToCpuPipeline(manager, tileir::EinsumToCpuOptions());
  if (failed(manager.run(*module)))
    return 1;
  auto program = tileir::runtime::CpuProgram::compile(*module, "product", type);
  if (!program) {
    llvm::errs() << llvm::toString(program.takeError()) << '\n';
    return 1;
  }

  // a[m, k] = m + k, b[k, n] = k - n
  tileir::runtime::NDArray a(tileir::runtime::ElementKind::F32, {4, 3});
  tileir::runtime::NDArray b(tileir::runtime::ElementKind::F32, {3, 2});
  for (int i = 0; i < 12; ++i)
    a.setDouble(i, i / 3 + i % 3);
  for (int i = 0; i < 6; ++i)
    b.setDouble(i, i / 2 - i % 2);
  llvm::SmallVector<tileir::runtime::NDArray> arguments = {a, b};
  auto results = (*program)->run(arguments);
  if (!results) {
    llvm::errs() << llvm::toString(results.takeError()) << '\n';
    return 1;
  }
  for (int m = 0; m < 4; ++m)
    llvm::outs() << llvm::format("%g %g\n", results->front().getDouble(2 * m),
                                 results->front().getDouble(2 * m + 1));
  return 0;
}
