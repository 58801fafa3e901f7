//===- EinsumToTile.cpp - Lower einsum.contract to tile programs ----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass: each einsum.kernel, and each contraction outside of one, becomes a
// kernel (TileKernelEmitter.cpp) and its launch, with what the host has to
// compute and check before it (HostEmitter.cpp). What is on tensors is put onto
// their buffers. einsum-contract-pairwise and einsum-fuse come before it;
// buffers it makes are freed by buffer-deallocation-pipeline after
// one-shot-bufferize.
//
//===----------------------------------------------------------------------===//

#include "TileKernelEmitter.h"
#include "VerifyKernels.h"

#include "tileir/Conversion/EinsumLowering/ArgumentChecks.h"
#include "tileir/Conversion/EinsumLowering/Buffers.h"
#include "tileir/Conversion/EinsumLowering/SizeChecks.h"
#include "tileir/Conversion/EinsumToTile/EinsumToTile.h"
#include "tileir/Dialect/Einsum/IR/ArgumentAttributes.h"
#include "tileir/Dialect/Einsum/IR/IndexSizes.h"
#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
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
using namespace tileir::lowering;
using namespace tileir::to_tile;

/// Reads "16x16x8": three positive numbers.
static FailureOr<layout::TileSizes> parseSizes(StringRef text) {
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
  return layout::TileSizes{numbers[0], numbers[1], numbers[2]};
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

/// Where the result goes, if that is memory of the device: kernels write it
/// there. What is on the host would be copied to the device first.
static Value takeOnDevice(RewriterBase &rewriter, Operation *op) {
  if (op->getNumResults() == 0)
    return {};
  return takeDestination(rewriter, op, tile::TileDialect::kOnDevice);
}

/// Says in terms of tile what functions promise of dynamic sizes, for what is
/// done with kernels later.
static void tellSizeMultiples(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (auto multiples =
              function.getArgAttrOfType<DenseI64ArrayAttr>(i, kMultipleOf))
        function.setArgAttr(i, tile::TileDialect::kSizeMultipleOf, multiples);
}

/// Divides the results of all contractions in the same way.
static void unifyBlocks(Fusion &fusion) {
  auto &contractions = fusion.contractions;
  const TilePlan &first = contractions.front()->plan;
  bool isUniform = llvm::all_of(contractions, [&](auto &contraction) {
    const TilePlan &plan = contraction->plan;
    return plan.usesDot() == first.usesDot() && plan.rows == first.rows &&
           plan.columns == first.columns && plan.batch == first.batch;
  });
  int64_t rows = first.block.m;
  for (auto &contraction : contractions) {
    if (!isUniform)
      contraction->plan.useNoDot();
    rows = std::min(rows, contraction->plan.block.m);
  }
  for (auto &contraction : contractions)
    contraction->plan.block.m = std::min(rows, contraction->plan.block.m);
}

namespace {

struct ConvertEinsumToTilePass
    : tileir::impl::ConvertEinsumToTilePassBase<ConvertEinsumToTilePass> {
  using ConvertEinsumToTilePassBase::ConvertEinsumToTilePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!minBlock.empty()) {
      auto parsed = parseSizes(minBlock);
      if (failed(parsed)) {
        module.emitError("expected 'min-block' to be three numbers from 1 to "
                         "65536, as in '16x16x8', found '")
            << minBlock << "'";
        return signalPassFailure();
      }
      minBlockShape = *parsed;
    }
    auto units = verifyKernels(module);
    if (failed(units))
      return signalPassFailure();

    CheckEmitter checkEmitter(module, checks);
    SymbolTable symbols(module);
    IRRewriter rewriter(&getContext());
    for (Operation *op : *units) {
      rewriter.setInsertionPoint(op);
      if (auto kernel = dyn_cast<KernelOp>(op))
        convert(rewriter, kernel, checkEmitter, symbols);
      else
        convert(rewriter,
                moveToBuffers(rewriter, cast<ContractOp>(op),
                              takeOnDevice(rewriter, op)),
                checkEmitter, symbols);
    }
    tellSizeMultiples(module);
    emitArgumentChecks(module, checkEmitter);
    checkEmitter.finish();
  }

private:
  void convert(IRRewriter &rewriter, ContractOp op, CheckEmitter &checkEmitter,
               SymbolTable &symbols) {
    rewriter.setInsertionPoint(op);
    llvm::MapVector<Value, Value> memory;
    for (Value operand : op->getOperands())
      memory[operand] = operand;
    emit(rewriter, op, nullptr, ContractMemRefs(op), memory, op.getOuts(),
         /*agree=*/nullptr, checkEmitter, symbols);
    rewriter.eraseOp(op);
  }

  void convert(IRRewriter &rewriter, KernelOp op, CheckEmitter &checkEmitter,
               SymbolTable &symbols) {
    rewriter.setInsertionPoint(op);
    llvm::MapVector<Value, Value> memory;
    for (auto [argument, input] :
         llvm::zip_equal(op.getBody().getArguments(), op.getInputs()))
      memory[argument] = getBuffer(rewriter, op.getLoc(), input);
    Block *body = &op.getBody().front();
    Value root = body->getTerminator()->getOperand(0);
    MemRefType type = getBufferType(root.getType());
    auto getDim = [&](Value value, unsigned axis) {
      return memref::getMixedSize(rewriter, op.getLoc(), memory.lookup(value),
                                  axis);
    };
    auto sizes = llvm::map_to_vector(
        llvm::seq<unsigned>(0, type.getRank()),
        [&](unsigned axis) { return reifyDim(rewriter, root, axis, getDim); });
    auto [shape, dynamicSizes] = decomposeMixedValues(sizes);
    Value result = takeOnDevice(rewriter, op);
    if (!result)
      result =
          memref::AllocOp::create(rewriter, op.getLoc(), type, dynamicSizes);
    Value agree;
    if (checks != RuntimeChecks::None)
      agree = CheckEmitter::both(
          rewriter, op.getLoc(),
          emitResultSizeCheck(rewriter, op.getLoc(), type, sizes, checkEmitter),
          emitPointwiseChecks(rewriter, *body, getDim, checkEmitter));
    Expression expression(root, body);
    SmallVector<ContractMemRefs> contractions;
    for (const Leaf &leaf : expression.getLeaves())
      if (auto contract = leaf.value.getDefiningOp<ContractOp>())
        contractions.emplace_back(
            contract, [&](Value operand) { return memory.lookup(operand); });
    emit(rewriter, op, body, contractions, memory, result, agree, checkEmitter,
         symbols);
    rewriter.setInsertionPoint(op);
    replaceByBuffer(rewriter, op, result);
  }

  /// Emits kernel and launch for `op`. `contractions` are those of the kernel;
  /// `memory` holds what is read, and `result` what is written. It is launched
  /// if `agree`, unless that is null.
  void emit(IRRewriter &builder, Operation *op, Block *body,
            ArrayRef<ContractMemRefs> contractions,
            const llvm::MapVector<Value, Value> &memory, Value result,
            Value agree, CheckEmitter &checkEmitter, SymbolTable &symbols) {
    Location loc = op->getLoc();
    OpBuilder::InsertionGuard guard(builder);
    std::string name =
        (op->getParentOfType<func::FuncOp>().getSymName() + "_contract").str();
    Fusion fusion(loc, name, body);
    fusion.config = tile::ConfigAttr::find(op);
    layout::TileConfig config = tile::getConfig(op);
    for (const ContractMemRefs &contraction : contractions) {
      fusion.contractions.push_back(std::make_unique<Contraction>(
          builder, contraction,
          PlanOptions{config.block, config.atom, minBlockShape, narrowDots,
                      checks == RuntimeChecks::All},
          symbols));
      if (checks == RuntimeChecks::None)
        continue;
      agree = CheckEmitter::both(
          builder, loc, agree,
          emitSizeChecks(builder, contraction,
                         fusion.contractions.back()->sizes, checkEmitter));
    }
    if (agree) {
      auto ifOp =
          scf::IfOp::create(builder, loc, agree, /*withElseRegion=*/false);
      builder.setInsertionPointToStart(ifOp.thenBlock());
    }
    for (auto &contraction : fusion.contractions)
      contraction->host.emitReadChecks(checkEmitter);

    DenseMap<Value, Value> copies;
    for (auto [value, memref] : memory) {
      Value &buffer = copies[memref];
      if (!buffer) {
        buffer = makeContiguous(builder, loc, memref);
        if (buffer != memref && memref != result)
          copyElements(builder, loc, memref, buffer);
      }
      fusion.memory[value] = buffer;
    }
    fusion.result = copies.contains(result)
                        ? copies[result]
                        : makeContiguous(builder, loc, result);
    unifyBlocks(fusion);
    report(loc, fusion, emitKernel(builder, fusion, symbols));
    if (fusion.result != result)
      copyElements(builder, loc, fusion.result, result);
  }

  /// Reports the choices that were made.
  void report(Location loc, const Fusion &fusion, ReadCounts counts) {
    const TilePlan &plan = fusion.contractions.front()->plan;
    remark::passed(
        loc, remark::RemarkOpts::name("einsum-to-tile").category("einsum"))
        << remark::metric("contractions", fusion.contractions.size())
        << remark::metric("rows", plan.block.m)
        << remark::metric("columns", plan.block.n)
        << remark::metric("depth", plan.block.k)
        << remark::metric("dot", plan.usesDot() ? 1 : 0)
        << remark::metric("dense-operands", counts.views)
        << remark::metric("strided-operands", counts.strided)
        << remark::metric("table-operands", counts.tables)
        << remark::metric("masked-operands", counts.masked);
    ++numKernels;
    numLowered += fusion.contractions.size();
    for (auto &contraction : fusion.contractions)
      numDots += contraction->plan.usesDot();
    numDenseOperands += counts.views;
    numStridedOperands += counts.strided;
    numTableOperands += counts.tables;
  }

  std::optional<layout::TileSizes> minBlockShape;
};

} // namespace
