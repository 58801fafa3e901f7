//===- EinsumChooseLayouts.cpp - einsum-choose-layouts --------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensors that pointwise ops, borders and poolings lead to each other share one
// order of axes: they are a group. Contractions take any order of any operand,
// so that they are where groups end. Of groups that nobody else sees, channels
// become the last axis if the kernels of all contractions together take fewer
// cycles then, by the model of einsum-choose-schedule.
//
// Needs contractions on tensors, before einsum-fuse.
//
//===----------------------------------------------------------------------===//

#include "Layouts.h"

#include "tileir/Dialect/Einsum/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileir::einsum {
#define GEN_PASS_DEF_EINSUMCHOOSELAYOUTSPASS
#include "tileir/Dialect/Einsum/Transforms/Passes.h.inc"
} // namespace tileir::einsum

using namespace mlir;
using namespace tileir::einsum;

namespace {

/// The cycles of contractions whose operands and results are in other orders.
class LayoutCosts {
public:
  explicit LayoutCosts(LayoutGroups &groups) : groups(groups) {}

  /// Of `contractions`; nothing if some has no kernel.
  std::optional<double> get(ArrayRef<ContractOp> contractions) {
    double sum = 0;
    for (ContractOp op : contractions) {
      double cycles = getOne(op);
      if (cycles < 0)
        return std::nullopt;
      sum += cycles;
    }
    return sum;
  }

private:
  double getOne(ContractOp op) {
    // Equal contractions are looked at once.
    OpBuilder builder(op);
    SmallVector<Value> inputs =
        llvm::map_to_vector(op.getInputs(), [&](Value input) -> Value {
          return tensor::EmptyOp::create(builder, op.getLoc(),
                                         groups.getType(input), ValueRange());
        });
    ContractOp reordered = createReordered(builder, op, groups, inputs);
    SmallVector<Attribute> key{reordered->getAttrDictionary(),
                               TypeAttr::get(reordered.getOutputType())};
    for (Type type : reordered->getOperandTypes())
      key.push_back(TypeAttr::get(type));
    auto [known, isNew] = cycles.try_emplace(builder.getArrayAttr(key), 0.0);
    if (isNew) {
      auto permutation = reordered.getPermutation();
      bool isGone = permutation && llvm::is_sorted(*permutation);
      known->second = isGone ? 0 : estimateKernel(reordered).value_or(-1);
    }
    reordered.erase();
    for (Value input : inputs)
      input.getDefiningOp()->erase();
    return known->second;
  }

  LayoutGroups &groups;
  DenseMap<Attribute, double> cycles;
};

struct EinsumChooseLayoutsPass
    : tileir::einsum::impl::EinsumChooseLayoutsPassBase<
          EinsumChooseLayoutsPass> {
  using EinsumChooseLayoutsPassBase::EinsumChooseLayoutsPassBase;

  void runOnOperation() override {
    getOperation()->walk([&](FunctionOpInterface function) {
      for (Block &block : function.getFunctionBody())
        chooseLayouts(block);
    });
  }

private:
  void chooseLayouts(Block &block) {
    LayoutGroups groups(block);
    if (groups.getOpen().empty())
      return;
    groups.setReordered(true);
    if (!always && !chooseGroups(block, groups))
      return;
    numReordered += reorder(block, groups);
  }

  /// Finds the groups to reorder, of which all are; whether that is faster.
  static bool chooseGroups(Block &block, LayoutGroups &groups) {
    auto name = remark::RemarkOpts::name("choose-layouts").category("einsum");
    Location loc = block.getParentOp()->getLoc();
    // Those that read or make tensors of each group.
    llvm::MapVector<unsigned, llvm::SmallSetVector<ContractOp, 4>> ofGroup;
    llvm::SmallSetVector<ContractOp, 32> all;
    for (ContractOp op : block.getOps<ContractOp>()) {
      auto note = [&](Value value) {
        if (groups.getOrder(value).empty())
          return;
        ofGroup[groups.getGroup(value)].insert(op);
        all.insert(op);
      };
      llvm::for_each(op->getOperands(), note);
      llvm::for_each(op->getResults(), note);
    }
    LayoutCosts costs(groups);
    std::optional<double> best = costs.get(all.getArrayRef());
    groups.setReordered(false);
    std::optional<double> before = costs.get(all.getArrayRef());
    groups.setReordered(true);
    if (!before || !best) {
      remark::missed(loc, name)
          << remark::reason("some contraction has no kernel on vectors");
      return false;
    }
    for (auto &[group, contractions] : ofGroup) {
      std::optional<double> with = costs.get(contractions.getArrayRef());
      groups.setReordered(group, false);
      std::optional<double> without = costs.get(contractions.getArrayRef());
      if (with && without && *without < *with)
        *best -= *with - *without;
      else
        groups.setReordered(group, true);
    }
    auto toText = [](double cycles) {
      return llvm::formatv("{0:f0}", cycles).str();
    };
    bool isFaster = *best < *before * (1 - kLeastGain);
    if (isFaster)
      remark::passed(loc, name) << remark::metric("cycles", toText(*best))
                                << remark::metric("before", toText(*before));
    else
      remark::missed(loc, name)
          << remark::reason("channels last save {0} of {1} cycles",
                            toText(*before - *best), toText(*before));
    return isFaster;
  }

  /// The part of the cycles that a change has to save.
  static constexpr double kLeastGain = 0.03;
};

} // namespace
