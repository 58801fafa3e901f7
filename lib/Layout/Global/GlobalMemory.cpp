//===- GlobalMemory.cpp - Accesses of global memory -----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Layout/Global/GlobalMemory.h"

#include "tileir/Layout/Fragments/Blocked.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tileir::layout;
using namespace llvm;

LinearLayout tileir::layout::getCoalesced(ArrayRef<int64_t> shape,
                                          unsigned elementBits, Run run,
                                          int64_t numWarps) {
  unsigned rank = shape.size();
  Blocked blocked;
  blocked.sizePerThread.assign(rank, 1);
  blocked.threadsPerWarp.assign(rank, 1);
  blocked.warpsPerBlock.assign(rank, 1);
  if (rank == 0)
    return getBlocked(shape, blocked);
  blocked.order.push_back(run.axis);
  for (unsigned axis = rank; axis-- > 0;)
    if (axis != run.axis)
      blocked.order.push_back(axis);

  AccessWidth width(elementBits);
  for (int64_t elements :
       {product_of(shape) / (32 * numWarps), shape[run.axis], run.length})
    width.limit(std::max<int64_t>(1, elements));
  blocked.sizePerThread[run.axis] = width.getNumElements();
  int64_t lanes = 32, warps = numWarps;
  for (unsigned axis : blocked.order) {
    int64_t threads =
        std::min(lanes, shape[axis] / blocked.sizePerThread[axis]);
    blocked.threadsPerWarp[axis] = threads;
    lanes /= threads;
    int64_t left = shape[axis] / (blocked.sizePerThread[axis] * threads);
    if (lanes == 1) {
      blocked.warpsPerBlock[axis] = std::min(warps, left);
      warps /= blocked.warpsPerBlock[axis];
    }
  }
  // Lanes and warps for which there is nothing left hold copies.
  blocked.threadsPerWarp[blocked.order.back()] *= lanes;
  blocked.warpsPerBlock[blocked.order.back()] *= warps;
  return getBlocked(shape, blocked);
}

GlobalAccess tileir::layout::getGlobalAccess(const LinearLayout &layout,
                                             unsigned axis, AccessWidth width) {
  int64_t held = layout.getContiguity(axis);
  width.limit(held);
  GlobalAccess access;
  access.vector = width.getNumElements();
  access.accesses = layout.getSize(InDim::Register) / access.vector;
  access.stride = access.span = held;
  for (unsigned bit = 0; bit < layout.getNumBits(InDim::Lane); ++bit) {
    Coordinate basis = layout.getBasis(InDim::Lane, bit);
    if (basis[axis])
      access.span = std::max<int64_t>(access.span, 2 * int64_t(basis[axis]));
    else if (any_of(basis, [](int32_t part) { return part != 0; }))
      access.lines *= 2;
  }
  access.copies = int64_t(1) << popcount(layout.getFreeBits(InDim::Warp));
  return access;
}

double tileir::layout::countSectors(double bytes, double alignment) {
  double grain = std::min({double(kSectorBytes), alignment, bytes});
  return std::max(1.0, (bytes - grain) / kSectorBytes + 1);
}
