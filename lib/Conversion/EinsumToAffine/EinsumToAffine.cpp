//===- EinsumToAffine.cpp - convert-einsum-to-affine ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass: splits contractions of three or more operands into pairs, puts
// contractions on tensors onto buffers, and replaces those on memrefs by the
// loops of ContractEmitter.cpp. Afterwards nothing of the dialect is left.
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/EinsumToAffine/EinsumToAffine.h"
#include "ContractEmitter.h"
#include "tileir/Conversion/EinsumLowering/ArgumentChecks.h"
#include "tileir/Conversion/EinsumLowering/Buffers.h"
#include "tileir/Dialect/Einsum/IR/ArgumentAttributes.h"
#include "tileir/Dialect/Einsum/IR/IndexSizes.h"
#include "tileir/Dialect/Einsum/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace tileir {
#define GEN_PASS_DEF_CONVERTEINSUMTOAFFINEPASS
#include "tileir/Conversion/Passes.h.inc"
} // namespace tileir

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::lowering;
using namespace tileir::to_affine;

namespace {

struct ConvertEinsumToAffinePass
    : tileir::impl::ConvertEinsumToAffinePassBase<ConvertEinsumToAffinePass> {
  using ConvertEinsumToAffinePassBase::ConvertEinsumToAffinePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    RewritePatternSet pairs(&getContext());
    populateContractPairwisePatterns(pairs, {});
    walkAndApplyPatterns(module, std::move(pairs));

    CheckEmitter checkEmitter(module, checks);
    IRRewriter rewriter(&getContext());
    module.walk([&](ContractOp op) {
      op = moveToBuffers(rewriter, op);
      rewriter.setInsertionPoint(op);
      LoweringCounts counts =
          emitContract(rewriter, op, parallelIterations, checkEmitter);
      remark::passed(
          op.getLoc(),
          remark::RemarkOpts::name("einsum-to-affine").category("einsum"))
          << remark::metric("parallel-loops", counts.parallelLoops)
          << remark::metric("affine-reads", counts.affine)
          << remark::metric("general-reads", counts.general)
          << remark::metric("guarded-reads", counts.guarded);
      rewriter.eraseOp(op);
      ++numLowered;
      numAffineReads += counts.affine;
      numGeneralReads += counts.general;
      numGuardedReads += counts.guarded;
    });
    emitArgumentChecks(module, checkEmitter);
    checkEmitter.finish();
    module.walk(removeArgumentAttributes);
  }
};

} // namespace
