//===- MmaAtom.h - Matrix instructions and their operands -------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matrix instruction as data. An atom is the least product that a warp forms
// with an instruction: it says which types and orders of A, B and the
// accumulator there are, and which registers of which lanes hold them. The
// operands of a block, and the list of instructions that a warp issues, follow
// from that; so whoever chooses, verifies or predicts products asks the atom
// rather than the name of an instruction.
//
// A new instruction is an entry in AtomTable.cpp, and an emitter in
// lib/Conversion/TileToGPU/MmaEmitters.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LAYOUT_FRAGMENTS_MMAATOM_H
#define TILEIR_LAYOUT_FRAGMENTS_MMAATOM_H

#include "tileir/Layout/Core/LinearLayout.h"

#include <array>
#include <string>

namespace tileir::layout {

/// The types of elements that the atoms take.
enum class Scalar { F16, BF16, F32, F64, E4M3, E5M2, I8, I32 };
/// "f16"
llvm::StringRef getName(Scalar type);

/// A is M x K, B is K x N, an accumulator M x N.
enum class Matrix { A, B, Acc };

/// The order in which memory has a matrix, which is also the one in which a
/// lane's elements run.
enum class Major { Row, Column };

/// The form in which an atom takes a matrix. Accumulators have no order: theirs
/// is Row.
struct Operand {
  Matrix matrix = Matrix::A;
  Scalar type = Scalar::F16;
  Major major = Major::Row;

  bool operator==(const Operand &other) const {
    return matrix == other.matrix && type == other.type && major == other.major;
  }
};

struct MmaAtom {
  /// The name by which `#tile.mma_atom` and `#tile.target` refer to it.
  llvm::StringLiteral name;
  /// M, N and K of the instruction as PTX names it: {8, 8, 4} of m8n8k4.
  std::array<int64_t, 3> instruction;
  /// The product of the atom. It takes several instructions if there are steps.
  int64_t m = 1, n = 1, k = 1;

  /// The operands that there are, and the elements of the first instruction, in
  /// coordinates of the whole atom.
  struct Fragment {
    Operand operand;
    LinearLayout layout;
  };
  llvm::SmallVector<Fragment, 0> fragments;

  /// The distances of the further instructions of the atom: one basis for each
  /// bit of their number along the axis.
  llvm::SmallVector<int32_t, 2> stepsM = {}, stepsN = {}, stepsK = {};

  /// Whether it rounds operands of f32 to tf32, which products have to ask for.
  bool isTf32 = false;

  /// Whether four warps issue it together (wgmma), each for its 16 of 64 rows,
  /// with B, and A too if that is not in registers, in shared memory. Then the
  /// fragments are those of one warp; of B only the type and the order count.
  bool isWarpgroup = false;

  /// The multiply-adds of one instruction.
  int64_t getInstructionWork() const {
    return m * n * k >> (stepsM.size() + stepsN.size() + stepsK.size());
  }
};

/// An entry of the table.
using AtomRef = const MmaAtom *;

/// The table. Entries stay where they are.
llvm::ArrayRef<MmaAtom> getAtoms();
/// The entry of this name; null if there is none.
const MmaAtom *findAtom(llvm::StringRef name);
/// For messages: all names, with "or" between.
std::string getAtomNames();

/// The types of a matrix that `atom` takes, as listed.
llvm::SmallVector<Scalar, 2> getTypes(const MmaAtom &atom, Matrix matrix);
/// For messages: "f16 operands and an accumulator of f16 or f32".
std::string describeTypes(const MmaAtom &atom);

/// The registers of one instruction; null if `atom` does not take `operand`.
const LinearLayout *getFragment(const MmaAtom &atom, Operand operand);

/// `operand`, in the other order if `atom` does not take it in this one.
Operand chooseOrder(const MmaAtom &atom, Operand operand);

/// Whether an instruction of warpgroups takes A or B in this form from shared
/// memory: 16-bit elements in both orders, others in that of the fragments.
bool isSharedOperand(const MmaAtom &atom, Operand operand);

/// The product of a block: a grid of `warpsM` x `warpsN` warps (numbered row by
/// row), with a block of M and N each.
struct MmaGrid {
  const MmaAtom *atom = nullptr;
  int64_t warpsM = 1, warpsN = 1;
};

/// The failure reason why a tile cannot be this operand, or an empty text.
std::string checkOperand(const MmaGrid &grid, Operand operand,
                         llvm::ArrayRef<int64_t> shape);

/// The layout of an operand of the product of a whole block: A (M x K), which
/// warps side by side in a row all have, B (K x N), which those in a column
/// have, or an accumulator (M x N). With an axis of batches before, each batch
/// has such a grid of warps, one grid after the other.
///
/// Numbering the instructions of one warp along each axis by i, those of an
/// atom along K by s, and its K by t, registers are
///
///     A[t][i_m][s][fragment]   B[t][i_n][s][fragment]   C[i_m][i_n][fragment]
///
/// So the registers of an instruction are side by side, and also those of an
/// atom's K.
LinearLayout getOperand(const MmaGrid &grid, Operand operand,
                        llvm::ArrayRef<int64_t> shape);

/// An instruction, by the numbers of its fragments: on registers
/// a * s .. a * s + s - 1 of A if its fragments have s registers, and so on.
struct MmaStep {
  unsigned a, b, c;
};
/// All instructions of a warp for a block's product of M x N x K elements. K is
/// outermost, so that successive ones add to different accumulators.
llvm::SmallVector<MmaStep> listSteps(const MmaGrid &grid, int64_t m, int64_t n,
                                     int64_t k);

} // namespace tileir::layout

#endif // TILEIR_LAYOUT_FRAGMENTS_MMAATOM_H
