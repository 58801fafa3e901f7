//===- EinsumToTile.cpp - Lower einsum.contract to tile programs ----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass: each contraction on memrefs, of one or two operands, becomes a
// kernel (KernelEmitter.cpp) and its launch, with what the host has to compute
// and check before it (HostEmitter.cpp). einsum-contract-pairwise and
// one-shot-bufferize come before it; buffers it makes are freed by
// buffer-deallocation-pipeline after it.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "SizeChecks.h"
#include "tileir/Conversion/Passes.h"
#include "tileir/Dialect/Einsum/IR/LetterSizes.h"
#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"

namespace tileir {
#define GEN_PASS_DEF_CONVERTEINSUMTOTILEPASS
#include "tileir/Conversion/Passes.h.inc"
} // namespace tileir

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;

/// Reads "128x128x32": three positive numbers.
static FailureOr<BlockShape> parseBlock(StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, 'x');
  SmallVector<int64_t> numbers;
  for (StringRef part : parts) {
    int64_t number;
    if (part.getAsInteger(10, number) || number < 1 || number > (1 << 16))
      return failure();
    numbers.push_back(number);
  }
  if (numbers.size() != 3)
    return failure();
  return BlockShape{numbers[0], numbers[1], numbers[2]};
}

/// Copies all elements, by loops: memref.copy would call a library where memory
/// has gaps.
static void copyElements(OpBuilder &builder, Location loc, Value from,
                         Value to) {
  auto getIndex = [&](int64_t value) {
    return createInteger(builder, loc, builder.getIndexType(), value);
  };
  int64_t rank = cast<MemRefType>(from.getType()).getRank();
  SmallVector<Value> sizes;
  for (int64_t axis = 0; axis < rank; ++axis)
    sizes.push_back(builder.createOrFold<memref::DimOp>(loc, from, axis));
  scf::buildLoopNest(
      builder, loc, SmallVector<Value>(rank, getIndex(0)), sizes,
      SmallVector<Value>(rank, getIndex(1)),
      [&](OpBuilder &inner, Location, ValueRange indices) {
        Value element = memref::LoadOp::create(inner, loc, from, indices);
        memref::StoreOp::create(inner, loc, element, to, indices);
      });
}

/// A buffer for `memref` with elements in row-major order without gaps, which
/// is `memref` itself if it is so.
static Value makeContiguous(OpBuilder &builder, Location loc, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  if (type.getLayout().isIdentity())
    return memref;
  SmallVector<Value> dynamicSizes;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (type.isDynamicDim(axis))
      dynamicSizes.push_back(memref::DimOp::create(builder, loc, memref, axis));
  auto bufferType = MemRefType::get(type.getShape(), type.getElementType());
  return memref::AllocOp::create(builder, loc, bufferType, dynamicSizes);
}

/// Emits kernel and launch for `plan.op` where `builder` stands.
static void emitContract(OpBuilder &builder, const TilePlan &plan,
                         CheckEmitter &checks, SymbolTable &symbols) {
  ContractOp op = plan.op;
  Location loc = op.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<OpFoldResult> sizes = reifyLetterSizes(builder, op);
  if (checks.getLevel() != RuntimeChecks::None)
    if (Value agree = emitSizeChecks(builder, op, sizes, checks)) {
      auto ifOp = scf::IfOp::create(builder, loc, agree,
                                    /*withElseRegion=*/false);
      builder.setInsertionPointToStart(ifOp.thenBlock());
    }
  HostEmitter host(builder, plan, sizes, symbols);
  host.emitReadChecks(checks);

  DenseMap<Value, Value> memory;
  for (Value operand : op->getOperands()) {
    if (memory.contains(operand))
      continue;
    Value buffer = makeContiguous(builder, loc, operand);
    if (buffer != operand && operand != op.getOuts())
      copyElements(builder, loc, operand, buffer);
    memory[operand] = buffer;
  }
  std::string name =
      (op->getParentOfType<func::FuncOp>().getSymName() + "_contract").str();
  emitKernel(builder, plan, host, memory, name, symbols);
  if (Value result = memory[op.getOuts()]; result != op.getOuts())
    copyElements(builder, loc, result, op.getOuts());
}

namespace {

struct ConvertEinsumToTilePass
    : tileir::impl::ConvertEinsumToTilePassBase<ConvertEinsumToTilePass> {
  using ConvertEinsumToTilePassBase::ConvertEinsumToTilePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto blockShape = parseBlock(block);
    if (failed(blockShape)) {
      module.emitError("expected 'block' to be three numbers from 1 to 65536, "
                       "as in '128x128x32', found '")
          << block << "'";
      return signalPassFailure();
    }
    SmallVector<ContractOp> contracts;
    bool isValid = true;
    module.walk([&](ContractOp op) {
      contracts.push_back(op);
      isValid &= succeeded(checkForm(op));
    });
    if (!isValid)
      return signalPassFailure();

    CheckEmitter checkEmitter(module, checks);
    SymbolTable symbols(module);
    IRRewriter rewriter(&getContext());
    for (ContractOp op : contracts) {
      rewriter.setInsertionPoint(op);
      TilePlan plan(op, *blockShape, checks == RuntimeChecks::All);
      emitContract(rewriter, plan, checkEmitter, symbols);
      report(plan);
      rewriter.eraseOp(op);
    }
    checkEmitter.finish();
  }

private:
  static LogicalResult checkForm(ContractOp op) {
    if (op.hasTensorForm())
      return op.emitError("expected operands on memrefs, found tensors: run "
                          "one-shot-bufferize before convert-einsum-to-tile");
    if (op.getInputs().size() > 2)
      return op.emitError("expected one or two operands, found ")
             << op.getInputs().size()
             << ": run einsum-contract-pairwise before convert-einsum-to-tile";
    if (!op->getParentOfType<func::FuncOp>())
      return op.emitError("expected a contraction in a 'func.func'");
    return success();
  }

  /// Tells what was chosen.
  void report(const TilePlan &plan) {
    unsigned strided = 0, tables = 0, masked = 0;
    for (const OperandPlan &operand : plan.operands) {
      ++(operand.advance ? strided : tables);
      masked += !operand.maskedAxes.empty();
    }
    remark::passed(
        plan.op.getLoc(),
        remark::RemarkOpts::name("einsum-to-tile").category("einsum"))
        << remark::metric("rows", plan.block.rows)
        << remark::metric("columns", plan.block.columns)
        << remark::metric("depth", plan.block.depth)
        << remark::metric("dot", plan.usesDot() ? 1 : 0)
        << remark::metric("strided-operands", strided)
        << remark::metric("table-operands", tables)
        << remark::metric("masked-operands", masked);
    ++numLowered;
    numDots += plan.usesDot();
    numStridedOperands += strided;
    numTableOperands += tables;
  }
};

} // namespace
