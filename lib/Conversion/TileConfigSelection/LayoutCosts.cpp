//===- LayoutCosts.cpp - The costs of a kernel's layouts ------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutCosts.h"

#include "tileir/Layout/Shared/MatrixAccess.h"
#include "tileir/Layout/Shared/Panels.h"

#include "llvm/Support/MathExtras.h"

using namespace tileir;
using namespace tileir::config_selection;
using layout::ConversionCost;
using layout::LinearLayout;
using layout::Matrix;
using layout::TileConfig;

/// A number that tells sizes, which are powers of two, from others.
static uint64_t pack(llvm::ArrayRef<int64_t> sizes, uint64_t first = 0) {
  uint64_t key = first;
  for (int64_t size : sizes)
    key = key << 5 | llvm::Log2_64(size);
  return key;
}

static uint64_t pack(const TileAccess &tile) {
  return pack({tile.shape[0], tile.shape[1], int64_t(tile.bits), tile.numWarps},
              tile.fast);
}

layout::GlobalAccess LayoutCosts::getAccess(const TileAccess &tile,
                                            int64_t aligned) {
  auto [found, isNew] = accesses.try_emplace(pack({aligned}, pack(tile)));
  if (isNew) {
    layout::AccessWidth width(tile.bits);
    width.limit(aligned);
    found->second = layout::getGlobalAccess(tile.getLayout(), tile.fast, width);
  }
  return found->second;
}

/// What has an axis of batches for the parts of K, without it.
static LinearLayout joinParts(const LinearLayout &parts, Matrix matrix) {
  llvm::ArrayRef<int64_t> shape = parts.getShape();
  if (matrix == Matrix::A)
    return parts.transpose({1, 0, 2}).reshape({shape[1], shape[0] * shape[2]});
  return parts.reshape({shape[0] * shape[1], shape[2]});
}

static layout::MmaGrid getGrid(const TileConfig &config) {
  return {config.atom, config.block.m / config.warpM,
          config.block.n / config.warpN};
}

/// All that layouts depend on, besides the tile.
static uint64_t pack(const TileConfig &config, Matrix matrix) {
  layout::MmaGrid grid = getGrid(config);
  uint64_t atom = config.atom - layout::getAtoms().data();
  return pack({grid.warpsM, grid.warpsN, config.splitK},
              atom << 2 | unsigned(matrix));
}

OperandCost LayoutCosts::getOperand(const TileConfig &config, Matrix matrix,
                                    const TileAccess &tile) {
  auto [found, isNew] =
      operands.try_emplace({pack(tile), pack(config, matrix)});
  if (!isNew)
    return found->second;
  layout::Operand operand =
      chooseOrder(*config.atom, {matrix, getTypes(*config.atom, matrix).front(),
                                 tile.fast == 0 ? layout::Major::Column
                                                : layout::Major::Row});
  layout::MmaGrid grid = getGrid(config);
  auto [rows, columns] = tile.shape;
  int64_t ways = config.splitK;
  bool isA = matrix == Matrix::A;
  LinearLayout fragments =
      ways == 1
          ? layout::getOperand(grid, operand, tile.shape)
          : joinParts(layout::getOperand(grid, operand,
                                         {ways, isA ? rows : rows / ways,
                                          isA ? columns / ways : columns}),
                      matrix);
  LinearLayout loaded = tile.getLayout();
  // What is loaded is copied, or stored by vectors as wide.
  auto plan = planConversion(loaded, fragments, tile.bits,
                             {matrices.loads, /*stores=*/false});
  OperandCost &cost = found->second;
  cost = {layout::getConversionCost(*plan, loaded, tile.bits)};
  if (plan->swizzle)
    cost.copyLength =
        getCopyLength(loaded, tile.fast, plan->swizzle->shared, tile.bits);
  return cost;
}

ConversionCost LayoutCosts::getResult(const TileConfig &config,
                                      layout::Scalar acc,
                                      const TileAccess &tile, unsigned bits) {
  auto [found, isNew] = results.try_emplace(
      {pack({int64_t(bits)}, pack(tile) << 1 | unsigned(acc)),
       pack(config, Matrix::Acc)});
  if (!isNew)
    return found->second;
  LinearLayout stored = tile.getLayout();
  llvm::SmallVector<int64_t, 3> shape(tile.shape.begin(), tile.shape.end());
  if (config.splitK > 1) {
    stored = stored.reshape({1, shape[0], shape[1]});
    shape.insert(shape.begin(), config.splitK);
    stored = stored.broadcast(shape);
  }
  LinearLayout fragments = layout::getOperand(
      getGrid(config), {Matrix::Acc, acc, layout::Major::Row}, shape);
  auto plan = planConversion(fragments, stored, bits, matrices);
  return found->second = layout::getConversionCost(*plan, fragments, bits);
}

std::optional<layout::SharedCost>
LayoutCosts::getPanelStore(const TileConfig &config, layout::Scalar acc,
                           const TileAccess &tile, unsigned bits) const {
  LinearLayout fragments = layout::getOperand(
      getGrid(config), {Matrix::Acc, acc, layout::Major::Row}, tile.shape);
  if (tile.fast == 0)
    fragments = fragments.transpose({1, 0});
  int64_t rowBytes = layout::getPanelBytes(fragments.getShape(), bits);
  if (rowBytes == 0)
    return std::nullopt;
  LinearLayout panels =
      layout::getPanelLayout(fragments.getShape(), bits, rowBytes);
  layout::SharedAccess access =
      layout::getWidestAccess(fragments, panels, bits);
  if (matrices.stores)
    if (auto store = layout::findMatrixStore(fragments, panels, bits))
      access = *layout::getSharedAccess(store->rows, panels, bits,
                                        layout::kMaxAccessBits / bits);
  return layout::SharedCost{double(access.accesses),
                            double(access.getTotalWavefronts())};
}
