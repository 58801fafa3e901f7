//===- Launches.cpp - Kernels become functions, launches loops ------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel gets six more arguments of i32: its place in the grid along x, y and
// z, and the sizes of the grid. A launch is an scf.parallel over the grid that
// calls it: programs are independent. Memrefs that stand for pointers are
// passed as addresses; these are i64 behind a cast, which the conversion of the
// pointers' types resolves.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::to_linalg;

static constexpr unsigned kNumAxes = 3;

/// Adds the arguments, and replaces the queries by them.
static void addGridArguments(func::FuncOp kernel) {
  unsigned numArguments = kernel.getNumArguments();
  Type type = IntegerType::get(kernel.getContext(), 32);
  for (unsigned i = 0; i < 2 * kNumAxes; ++i)
    (void)kernel.insertArgument(numArguments + i, type, {}, kernel.getLoc());
  auto replace = [&](auto op, unsigned first) {
    op.getResult().replaceAllUsesWith(kernel.getArgument(
        numArguments + first + static_cast<unsigned>(op.getAxis())));
    op.erase();
  };
  kernel.walk([&](ProgramIdOp op) { replace(op, 0); });
  kernel.walk([&](NumProgramsOp op) { replace(op, kNumAxes); });
}

/// Removes the dialect's attributes, which are of no use below it, from a
/// kernel or a function of the host.
static void removeAttributes(func::FuncOp function) {
  function->removeAttr(TileDialect::kKernel);
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    for (NamedAttribute attr :
         llvm::to_vector(function_interface_impl::getArgAttrs(function, i)))
      if (isa_and_nonnull<TileDialect>(attr.getNameDialect()))
        function.removeArgAttr(i, attr.getName());
}

/// Returns the value that a launch passes for an argument of `type`.
static Value passArgument(OpBuilder &builder, Location loc, Value value,
                          Type type) {
  if (value.getType() == type)
    return value;
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, value);
  address =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), address);
  return UnrealizedConversionCastOp::create(builder, loc, type, address)
      .getResult(0);
}

static void lowerLaunch(LaunchOp op, func::FuncOp kernel) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<Value> arguments;
  for (auto [value, type] :
       llvm::zip(op.getArguments(), kernel.getArgumentTypes()))
    arguments.push_back(passArgument(builder, loc, value, type));

  Type i32 = builder.getI32Type();
  SmallVector<Value> grid = {op.getGridX(), op.getGridY(), op.getGridZ()};
  auto toI32 = [&](OpBuilder &inner, Value index) -> Value {
    return arith::IndexCastOp::create(inner, loc, i32, index);
  };
  SmallVector<Value> sizes;
  for (Value size : grid)
    sizes.push_back(toI32(builder, size));
  // x is innermost: neighbours along x often share what they read.
  SmallVector<Value> upper = llvm::to_vector(llvm::reverse(grid));
  SmallVector<Value> lower(kNumAxes,
                           arith::ConstantIndexOp::create(builder, loc, 0));
  SmallVector<Value> steps(kNumAxes,
                           arith::ConstantIndexOp::create(builder, loc, 1));
  scf::ParallelOp::create(builder, loc, lower, upper, steps,
                          [&](OpBuilder &inner, Location, ValueRange place) {
                            for (Value index : llvm::reverse(place))
                              arguments.push_back(toI32(inner, index));
                            llvm::append_range(arguments, sizes);
                            func::CallOp::create(inner, loc, kernel, arguments);
                          });
  op.erase();
}

void to_linalg::lowerLaunches(ModuleOp module) {
  SymbolTableCollection tables;
  SymbolUserMap users(tables, module);
  for (auto function : module.getOps<func::FuncOp>()) {
    if (isKernel(function)) {
      for (Operation *user : users.getUsers(function))
        lowerLaunch(cast<LaunchOp>(user), function);
      addGridArguments(function);
      function.setPrivate();
    }
    removeAttributes(function);
  }
}
