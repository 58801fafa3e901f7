//===- ScfOutlineLoops.cpp - scf-outline-loops ----------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comes after all passes that have several loops in view. Loops are put into
// buckets by a hash of their ops, and compared one by one: two are
// equal if a function with the values of one of them as its arguments computes
// the other one, too. Constants are no arguments: what they say is what code is
// specialized for.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/SCF/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"

namespace tileir {
#define GEN_PASS_DEF_SCFOUTLINELOOPSPASS
#include "tileir/Dialect/SCF/Transforms/Passes.h.inc"
} // namespace tileir

using namespace mlir;

static bool isConstant(Value value) {
  return matchPattern(value, m_Constant());
}

/// All operands of `loop` and of the ops in it.
static SmallVector<Value> getOperands(Operation *loop) {
  SmallVector<Value> operands;
  loop->walk<WalkOrder::PreOrder>(
      [&](Operation *op) { llvm::append_range(operands, op->getOperands()); });
  return operands;
}

/// What `loop` uses that is not made in it, in the order of its uses.
static SmallVector<Value> getCaptured(Operation *loop) {
  llvm::SetVector<Value> captured;
  for (Value operand : getOperands(loop))
    if (!loop->isAncestor(operand.getParentBlock()->getParentOp()))
      captured.insert(operand);
  return captured.takeVector();
}

/// Of equal loops, the same.
static llvm::hash_code hash(Operation *loop) {
  llvm::hash_code code(0);
  loop->walk<WalkOrder::PreOrder>([&](Operation *op) {
    code =
        llvm::hash_combine(code, OperationEquivalence::computeHash(
                                     op, OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::IgnoreLocations));
  });
  return code;
}

/// Whether `other` is `loop` but for the values that it uses: in `map`, what it
/// has in the place of each value of `loop` that is no constant.
static bool areEqual(Operation *loop, Operation *other,
                     DenseMap<Value, Value> &map) {
  auto areAlike = [](Value value, Value place) {
    Attribute constant, otherConstant;
    bool isOne = matchPattern(value, m_Constant(&constant)),
         isOther = matchPattern(place, m_Constant(&otherConstant));
    return success(value.getType() == place.getType() && isOne == isOther &&
                   constant == otherConstant);
  };
  if (!OperationEquivalence::isEquivalentTo(
          loop, other, areAlike,
          [&](Value value, Value place) { map[value] = place; },
          OperationEquivalence::IgnoreLocations))
    return false;
  // Not by the function above, which is not told of values that are the same.
  return llvm::all_of(
      llvm::zip_equal(getOperands(loop), getOperands(other)), [&](auto pair) {
        auto [value, place] = pair;
        return isConstant(value) ||
               map.try_emplace(value, place).first->second == place;
      });
}

namespace {

/// Loops that are equal, and what each of them uses, in the same order.
struct Group {
  SmallVector<Operation *> loops;
  SmallVector<SmallVector<Value>> operands;
};

struct ScfOutlineLoopsPass
    : tileir::impl::ScfOutlineLoopsPassBase<ScfOutlineLoopsPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::MapVector<llvm::hash_code, SmallVector<Group>> groups;
    // One that is the only one of its function has one already.
    llvm::SmallDenseMap<func::FuncOp, int64_t> numLarge;
    for (auto function : module.getOps<func::FuncOp>())
      for (Block &block : function.getBody())
        for (Operation &op : block)
          if (isa<scf::ForOp, scf::ParallelOp>(op) && op.getNumResults() == 0 &&
              isLarge(&op, minOps)) {
            add(groups[hash(&op)], &op);
            numLarge[function] += isLarge(&op, minSingleOps);
          }
    SymbolTable symbols(module);
    for (auto &[code, equal] : groups)
      for (Group &group : equal)
        if (group.loops.size() > 1 || isSingle(group.loops.front(), numLarge))
          outline(group, symbols);
  }

private:
  /// Whether `loop`, to which no other one is equal, becomes a function.
  bool isSingle(Operation *loop,
                llvm::SmallDenseMap<func::FuncOp, int64_t> &numLarge) {
    return minSingleOps > 0 && isLarge(loop, minSingleOps) &&
           numLarge[loop->getParentOfType<func::FuncOp>()] > 1;
  }

  static bool isLarge(Operation *loop, int64_t least) {
    int64_t count = 0;
    return loop
        ->walk(
            [&](Operation *) { return WalkResult(failure(++count >= least)); })
        .wasInterrupted();
  }

  static void add(SmallVector<Group> &groups, Operation *loop) {
    for (Group &group : groups) {
      DenseMap<Value, Value> map;
      if (!areEqual(group.loops.front(), loop, map))
        continue;
      group.loops.push_back(loop);
      group.operands.push_back(llvm::map_to_vector(
          group.operands.front(), [&](Value value) { return map.at(value); }));
      return;
    }
    SmallVector<Value> operands = getCaptured(loop);
    llvm::erase_if(operands, isConstant);
    groups.push_back({{loop}, {operands}});
  }

  void outline(const Group &group, SymbolTable &symbols) {
    Operation *loop = group.loops.front();
    OpBuilder builder(&getContext());
    auto parent = loop->getParentOfType<func::FuncOp>();
    auto type = builder.getFunctionType(
        llvm::to_vector(ValueRange(group.operands.front()).getTypes()), {});
    auto function = func::FuncOp::create(
        loop->getLoc(), (parent.getName() + "_loop").str(), type);
    function.setPrivate();
    // Not a symbol of the object: other modules have loops of their own.
    function->setAttr(
        "llvm.linkage",
        LLVM::LinkageAttr::get(&getContext(), LLVM::Linkage::Internal));
    // It would be optimized once more where it is called.
    function->setAttr("passthrough", builder.getStrArrayAttr({"noinline"}));
    symbols.insert(function);
    Block *entry = function.addEntryBlock();
    builder.setInsertionPointToStart(entry);
    IRMapping map;
    map.map(group.operands.front(), entry->getArguments());
    for (Value value : getCaptured(loop))
      if (isConstant(value))
        builder.clone(*value.getDefiningOp(), map);
    builder.clone(*loop, map);
    func::ReturnOp::create(builder, loop->getLoc());
    for (auto [equal, operands] : llvm::zip(group.loops, group.operands)) {
      builder.setInsertionPoint(equal);
      func::CallOp::create(builder, equal->getLoc(), function, operands);
      equal->erase();
      ++numCalls;
    }
    ++numFunctions;
  }
};
} // namespace
