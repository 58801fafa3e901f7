//===- Fragments.h - Layouts by name ----------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layouts that memory and the matrix units ask for.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LAYOUT_FRAGMENTS_FRAGMENTS_H
#define TILEIR_LAYOUT_FRAGMENTS_FRAGMENTS_H

#include "tileir/Layout/Core/LinearLayout.h"

#include <string>

namespace tileir::layout {

//===----------------------------------------------------------------------===//
// Blocked
//===----------------------------------------------------------------------===//

/// Blocks of registers within lanes within warps. Each has a size per axis, a
/// power of two; the axes of `order` are numbered from the fastest on.
struct Blocked {
  llvm::SmallVector<int64_t, 4> sizePerThread, threadsPerWarp, warpsPerBlock;
  llvm::SmallVector<unsigned, 4> order;
};

/// Where the tile is larger than all blocks, it is repeated in registers, after
/// those of the block; where it is smaller, lanes and warps hold copies.
LinearLayout getBlocked(llvm::ArrayRef<int64_t> shape, const Blocked &blocked);

//===----------------------------------------------------------------------===//
// mma.m8n8k4 of f16 (Volta): one instruction is four products
// 8x8 += 8x4 * 4x8, each of a quad pair: lanes 4q .. 4q + 3 and 16 + 4q ..
//===----------------------------------------------------------------------===//

enum class Operand { A, B, AccF32, AccF16 };
/// In which order memory has A (M x K) and B (K x N); a lane's fragment is a
/// run of four elements in this order.
enum class Major { Row, Column };

/// Of one product: A is 8 x 4, B 4 x 8, an accumulator 8 x 8. The quad pairs
/// hold copies. Accumulators take no order.
LinearLayout getQuadPairFragment(Operand operand, Major major);

/// How the four quad pairs of a warp share a larger product. In both, q & 1
/// chooses rows of A and q & 2 columns of B; one instruction gives 16 x 16
/// elements.
enum class MacroMma {
  /// Quad pairs lie side by side: rows 8 (q & 1) + 0 .. 7, and so for columns.
  M16N16K8,
  /// Four times as much, with the halves of two fragments interleaved: lanes
  /// below 16 have rows 0 .. 7 and others 8 .. 15, of which the first fragment
  /// has four; q & 1 adds 16. So lanes hold runs of eight rows of a
  /// column-major A, and of eight columns of a row-major B.
  M32N32K8
};

/// The product of a block: a grid of `warpsM` x `warpsN` warps (numbered row by
/// row) with a block of the rows and columns each.
struct Mma884 {
  MacroMma macro = MacroMma::M16N16K8;
  int64_t warpsM = 1, warpsN = 1;

  /// Rows and columns of the macro-MMA; its depth is 8.
  int64_t getMacroSize() const { return macro == MacroMma::M16N16K8 ? 16 : 32; }
};

/// Why a tile cannot be this operand, or an empty text.
std::string checkMma884(const Mma884 &mma, Operand operand,
                        llvm::ArrayRef<int64_t> shape);

/// The layout of an operand of the product of a whole block: A (M x K), which
/// warps side by side in a row all have, B (K x N), which those in a column
/// have, or an accumulator (M x N). With an axis of batches before, each batch
/// has such a grid of warps, one grid after the other.
///
/// With M and N of one warp, in steps of 16, and K in steps of 8, registers are
///
///     A[k / 8][m / 16][k / 4 % 2][4]   B[k / 8][n / 16][k / 4 % 2][4]
///     C[m / 16][n / 16][8]
///
/// (for M32N32K8, m / 16 and n / 16 number fragments, not places). So the
/// registers of an instruction, four, four and eight, are side by side, and
/// also those of a step of K.
LinearLayout getMma884(const Mma884 &mma, Operand operand, Major major,
                       llvm::ArrayRef<int64_t> shape);

/// An instruction: on registers 4 a .. 4 a + 3 of A, 4 b .. of B, and
/// 8 c .. 8 c + 7 of C.
struct MmaStep {
  unsigned a, b, c;
};
/// All instructions of a warp's product of M x N x K elements. K is outermost,
/// so that successive ones add to different accumulators.
llvm::SmallVector<MmaStep> listMma884(int64_t m, int64_t n, int64_t k);

} // namespace tileir::layout

#endif // TILEIR_LAYOUT_FRAGMENTS_FRAGMENTS_H
