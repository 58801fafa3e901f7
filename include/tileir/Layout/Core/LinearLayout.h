//===- LinearLayout.h -------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells where the elements of a tile are: a linear map over bits. The bits of a
// register number, a lane, a warp and a block, or of an offset in shared
// memory, each have a basis, which is a coordinate of the tile; a hardware
// index (all of these numbers together) holds the element whose coordinate is
// the exclusive or of the bases of its bits. So
//
//   register = [[0, 1], [2, 0]], lane = [[1, 0], [0, 2]], warp = []
//
// says that register 3 of lane 2 holds the element
// (0, 1) ^ (2, 0) ^ (0, 2) = (2, 3). Sizes are powers of two.
//
// A coordinate is kept as the element's number in row-major order, which puts
// the bits of its axes side by side: a layout is a matrix over the field of two
// elements with a column per bit of the hardware index and a row per bit of the
// element number, and reshaping a tile does not change it.
//
// Depends on LLVM Support alone, as does all of Layout/.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LAYOUT_CORE_LINEARLAYOUT_H
#define TILEIR_LAYOUT_CORE_LINEARLAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <cstdint>
#include <optional>

namespace tileir::layout {

/// A part of a hardware index: a register of a lane of a warp of a block, or an
/// offset in shared memory.
enum class InDim { Register, Lane, Warp, Block, Offset };
constexpr unsigned kNumInDims = 5;
constexpr std::array<InDim, kNumInDims> kInDims = {
    InDim::Register, InDim::Lane, InDim::Warp, InDim::Block, InDim::Offset};
llvm::StringRef getName(InDim in);

/// The number of a register, lane, warp and block, or an offset: what is left
/// out is 0.
using HardwareIndex = llvm::ArrayRef<std::pair<InDim, uint64_t>>;
/// One value per axis of the tile.
using Coordinate = llvm::SmallVector<int32_t, 4>;

class LinearLayout {
public:
  /// A layout of a tile, without bits: it has one hardware index, which holds
  /// element 0.
  explicit LinearLayout(llvm::ArrayRef<int64_t> shape = {});
  /// `in` numbers all elements, the axes of `order` from the fastest on.
  static LinearLayout identity(llvm::ArrayRef<int64_t> shape, InDim in,
                               llvm::ArrayRef<unsigned> order);
  /// Numbers all elements in row-major order.
  static LinearLayout identity(llvm::ArrayRef<int64_t> shape, InDim in);

  //===--------------------------------------------------------------------===//
  // Contents
  //===--------------------------------------------------------------------===//

  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  unsigned getRank() const { return shape.size(); }
  /// Bits of an element number.
  unsigned getNumElementBits() const;
  unsigned getNumBits(InDim in) const { return bases[unsigned(in)].size(); }
  uint64_t getSize(InDim in) const { return uint64_t(1) << getNumBits(in); }
  /// Bits of a hardware index. They are in the order of InDim, Register first.
  unsigned getNumHardwareBits() const;

  /// The bases of `in` as element numbers.
  llvm::ArrayRef<uint64_t> getBases(InDim in) const {
    return bases[unsigned(in)];
  }
  Coordinate getBasis(InDim in, unsigned bit) const;
  /// Those of all bits of a hardware index.
  llvm::SmallVector<uint64_t> getColumns() const;

  /// Adds the next bit of `in`.
  void addBasis(InDim in, uint64_t element);
  void addBasis(InDim in, llvm::ArrayRef<int32_t> coordinate);
  /// The basis is 2^bit along an axis.
  void addUnit(InDim in, unsigned axis, unsigned bit);
  void setBases(InDim in, llvm::ArrayRef<uint64_t> elements);

  uint64_t getElement(llvm::ArrayRef<int32_t> coordinate) const;
  Coordinate getCoordinate(uint64_t element) const;

  bool operator==(const LinearLayout &other) const {
    return shape == other.shape && bases == other.bases;
  }
  bool operator!=(const LinearLayout &other) const { return !(*this == other); }

  /// Prints it as in the example above: `offset = ...` if it has one, else
  /// register, lane and warp; block only if it has bits.
  void print(llvm::raw_ostream &os) const;

  //===--------------------------------------------------------------------===//
  // As a map
  //===--------------------------------------------------------------------===//

  /// The number of the element at a hardware index.
  uint64_t getElementAt(HardwareIndex index) const;
  Coordinate apply(HardwareIndex index) const {
    return getCoordinate(getElementAt(index));
  }

  /// Every element has a hardware index.
  bool isSurjective() const;
  /// No element has two.
  bool isInjective() const;

  /// First this, then `outer`, whose only bits are those of an Offset: the
  /// element number of this.
  LinearLayout compose(const LinearLayout &outer) const;
  /// Maps Offset, an element number, to the hardware index that holds it. The
  /// result's axes are the InDims, all five: a coordinate is a hardware index.
  /// None if some element has none or two.
  std::optional<LinearLayout> invert() const;
  /// One hardware index per element, of several the one with bits that come
  /// first: other registers rather than other lanes, these rather than other
  /// warps. Has to be surjective.
  LinearLayout pseudoInvert() const;
  /// Maps the hardware indices of `dst` to those of this that hold the same
  /// element (with axes as of `invert`): the index itself as far as it does,
  /// else another register, then another lane, then another warp. Has to be
  /// surjective, and the shapes have to be equal.
  LinearLayout invertAndCompose(const LinearLayout &dst) const;

  //===--------------------------------------------------------------------===//
  // Parts
  //===--------------------------------------------------------------------===//

  /// A tile of tiles: this inside, `outer` over copies of it. Each size is the
  /// product of both.
  LinearLayout product(const LinearLayout &outer) const;
  /// The `outer` with `inner.product(outer)` equal to this, if there is one.
  std::optional<LinearLayout> divideLeft(const LinearLayout &inner) const;
  /// The `inner` with `inner.product(outer)` equal to this, if there is one.
  std::optional<LinearLayout> divideRight(const LinearLayout &outer) const;
  /// The part of the tile that `in` = 0 sees, if those of all values of `in`
  /// are copies of it side by side: each basis of `in` is 0 or a bit of one
  /// axis above those that other bits have.
  std::optional<LinearLayout> quotient(InDim in) const;

  /// Returns the layout without `in`: its part for 0, in the same tile.
  LinearLayout drop(InDim in) const;
  /// Bit i of `in` becomes the former bit `order[i]`; those not named are
  /// dropped.
  LinearLayout selectBits(InDim in, llvm::ArrayRef<unsigned> order) const;

  /// A mask of the bits of `in` that are not needed to reach any element: their
  /// bases are 0, or sums of bases that come before. Such bits hold copies.
  uint64_t getFreeBits(InDim in) const;

  /// The register bits that go through a run of consecutive elements along an
  /// axis, of aligned starts: the first steps by one, the next by two and so
  /// on. With those registers a lane reads or writes the run as one vector.
  llvm::SmallVector<unsigned, 4> getContiguousBits(unsigned axis) const;
  unsigned getContiguity(unsigned axis) const {
    return 1u << getContiguousBits(axis).size();
  }

  //===--------------------------------------------------------------------===//
  // Layouts of retiled tiles (Retile.cpp): the registers stay as they are
  //===--------------------------------------------------------------------===//

  /// The same elements in another shape, of as many.
  LinearLayout reshape(llvm::ArrayRef<int64_t> newShape) const;
  /// Axis i of the result is axis `permutation[i]`.
  LinearLayout transpose(llvm::ArrayRef<int64_t> permutation) const;
  /// Repeats axes of size one (after padding with ones on the left), in
  /// registers after those there are.
  LinearLayout broadcast(llvm::ArrayRef<int64_t> newShape) const;
  /// The same elements at the beginning of a larger tile: the others are
  /// nowhere.
  LinearLayout embed(llvm::ArrayRef<int64_t> newShape) const;
  /// Returns the layout without an axis, all of whose elements have become one;
  /// registers that hold copies are dropped. A reduction along the axis ends in
  /// this layout, and a broadcast along the axis has to begin in it.
  LinearLayout removeAxis(unsigned axis) const;
  /// The layout of the two halves along the last axis, of size two, if a bit of
  /// the register and nothing else chooses the half; `bit` becomes that bit.
  std::optional<LinearLayout> getHalf(unsigned &bit) const;

private:
  unsigned getAxisShift(unsigned axis) const;

  llvm::SmallVector<int64_t, 4> shape;
  std::array<llvm::SmallVector<uint64_t, 6>, kNumInDims> bases;
};

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                                     const LinearLayout &layout) {
  layout.print(os);
  return os;
}

} // namespace tileir::layout

#endif // TILEIR_LAYOUT_CORE_LINEARLAYOUT_H
