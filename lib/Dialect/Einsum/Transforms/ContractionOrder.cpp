//===- ContractionOrder.cpp - Order of pairwise contraction ---------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dynamic programming over subsets of operands: the cheapest way to contract a
// subset is the cheapest split into two parts plus the contraction of the two.
// Beyond the exhaustive limit the cheapest pair is taken greedily. Costs are
// doubles, which cannot overflow.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/Transforms/ContractionOrder.h"

#include "llvm/ADT/bit.h"

#include <algorithm>
#include <limits>
#include <vector>

using namespace tileir::einsum;

namespace {
class OrderFinder {
public:
  OrderFinder(llvm::ArrayRef<IndexSet> operands, IndexSet result,
              llvm::ArrayRef<int64_t> sizes, int64_t unknownSize)
      : operands(operands), result(result), sizes(sizes),
        unknownSize(unknownSize) {}

  ContractionOrder findExhaustively() {
    unsigned all = (1u << operands.size()) - 1;
    best.resize(all + 1);
    for (unsigned subset = 1; subset <= all; ++subset)
      visit(subset);
    ContractionOrder order;
    order.multiplications = best[all].cost;
    emit(all, order);
    return order;
  }

  ContractionOrder findGreedily() {
    ContractionOrder order;
    // The operands left to contract: the number and indices of each.
    llvm::SmallVector<std::pair<unsigned, IndexSet>> live;
    for (auto [number, indices] : llvm::enumerate(operands))
      live.push_back({number, indices});
    while (live.size() > 1) {
      size_t left = 0, right = 1;
      double cheapest = std::numeric_limits<double>::infinity();
      for (size_t i = 0; i < live.size(); ++i)
        for (size_t j = i + 1; j < live.size(); ++j)
          if (double cost = getCost(live[i].second | live[j].second);
              cost < cheapest) {
            cheapest = cost;
            left = i;
            right = j;
          }
      IndexSet needed = result;
      for (size_t i = 0; i < live.size(); ++i)
        if (i != left && i != right)
          needed |= live[i].second;
      IndexSet indices = (live[left].second | live[right].second) & needed;
      order.multiplications += cheapest;
      order.steps.push_back({live[left].first, live[right].first, indices});
      live[left] = {getNextNumber(order) - 1, indices};
      live.erase(live.begin() + right);
    }
    return order;
  }

private:
  /// The cheapest way to contract one subset.
  struct Entry {
    double cost = std::numeric_limits<double>::infinity();
    unsigned left = 0; // one of the two parts; 0 for a single operand
    IndexSet indices = 0;
  };

  double getCost(IndexSet indices) {
    double cost = 1;
    for (; indices; indices &= indices - 1) {
      int64_t size = sizes[llvm::countr_zero(indices)];
      cost *= static_cast<double>(size < 0 ? unknownSize : size);
    }
    return cost;
  }

  unsigned getNextNumber(const ContractionOrder &order) {
    return operands.size() + order.steps.size();
  }

  void visit(unsigned subset) {
    Entry &entry = best[subset];
    if ((subset & (subset - 1)) == 0) {
      entry = {0, 0, operands[llvm::countr_zero(subset)]};
      return;
    }
    IndexSet inside = 0, needed = result;
    for (unsigned i = 0; i < operands.size(); ++i)
      (subset >> i & 1 ? inside : needed) |= operands[i];
    entry.indices = inside & needed;
    // The part with the first operand is the left one. Among equals the larger
    // left part of earlier operands wins: the order from left to right.
    auto isEarlier = [](unsigned left, unsigned other) {
      int more = llvm::popcount(left) - llvm::popcount(other);
      return more > 0 || (more == 0 && left < other);
    };
    unsigned first = subset & -subset;
    for (unsigned left = (subset - 1) & subset; left;
         left = (left - 1) & subset) {
      if (!(left & first))
        continue;
      const Entry &l = best[left], &r = best[subset ^ left];
      double cost = l.cost + r.cost + getCost(l.indices | r.indices);
      // Costs may be infinite.
      if (!entry.left || cost < entry.cost ||
          (cost == entry.cost && isEarlier(left, entry.left))) {
        entry.cost = cost;
        entry.left = left;
      }
    }
  }

  /// Adds the steps for `subset`. Returns the number of its result.
  unsigned emit(unsigned subset, ContractionOrder &order) {
    const Entry &entry = best[subset];
    if (!entry.left)
      return llvm::countr_zero(subset);
    unsigned lhs = emit(entry.left, order);
    unsigned rhs = emit(subset ^ entry.left, order);
    order.steps.push_back({lhs, rhs, entry.indices});
    return getNextNumber(order) - 1;
  }

  llvm::ArrayRef<IndexSet> operands;
  IndexSet result;
  llvm::ArrayRef<int64_t> sizes;
  int64_t unknownSize;
  std::vector<Entry> best;
};
} // namespace

ContractionOrder tileir::einsum::findContractionOrder(
    llvm::ArrayRef<IndexSet> operands, IndexSet result,
    llvm::ArrayRef<int64_t> sizes, const ContractionOrderOptions &options) {
  OrderFinder finder(operands, result, sizes, options.unknownSize);
  // 3^16 splits are the most that make sense.
  if (operands.size() <= std::min(options.maxExhaustive, 16u))
    return finder.findExhaustively();
  return finder.findGreedily();
}
