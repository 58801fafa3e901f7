//===- Swizzle.cpp - Shared memory without bank conflicts -----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bits of an offset are, from the lowest: those within a vector, those that
// choose the banks, and those that number lines of 128 bytes. Let P be the
// space that the lanes served together span with the vector, for the writer,
// and Q the same for the reader. There are no conflicts if no two of their
// elements differ by a line alone: if the space L of the line bits meets P and
// Q in 0 only. So:
//
// 1. The vector's bits are registers of both sides (the wider one's alone where
//    the sizes differ).
// 2. Line bits are found one by one. A bit of the tile that is neither in P + L
//    nor in Q + L will do. If there is none, some bit x is in Q + L only and
//    some y in P + L only; then x ^ y is in neither, one exclusive or. As P and
//    Q have at most the size of a line, this never fails while both have all
//    bits of the vector; if the wider side's do not fit the narrow one, lines
//    are found for the wider side alone, and the other gets conflicts.
// 3. The bits of the tile that are still missing choose the banks.
//
// Higher bits of the tile are tried first, so that a tile in its natural order
// stays so where that has no conflicts.
//
//===----------------------------------------------------------------------===//

#include "tileir/Layout/Shared/MatrixAccess.h"

#include "../Core/BitSpan.h"
#include "LineBits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

#include <tuple>

using namespace tileir::layout;
using namespace llvm;

namespace {
/// One of the two that access a tile.
struct Side {
  const LinearLayout &layout;
  /// log2 of the size of its vectors, in elements.
  unsigned vectorBits;

  /// Registers that step along one bit of the tile.
  SmallVector<uint64_t> getUnits() const {
    SmallVector<uint64_t> units;
    for (uint64_t basis : layout.getBases(InDim::Register))
      if (isPowerOf2_64(basis) && !is_contained(units, basis))
        units.push_back(basis);
    return units;
  }
  /// Returns the span of the lanes that are served together.
  BitSpan getGroupSpan(unsigned elementBits) const {
    ArrayRef<uint64_t> lanes = layout.getBases(InDim::Lane);
    size_t bits = getGroupLaneBits(elementBits << vectorBits);
    return BitSpan(lanes.take_front(std::min(bits, lanes.size())));
  }
};

class SwizzleBuilder {
public:
  SwizzleBuilder(Side writer, Side reader, unsigned elementBits)
      : writer(writer), reader(reader), elementBits(elementBits),
        numBits(writer.layout.getNumElementBits()) {}

  /// None if registers do not hold such vectors.
  std::optional<LinearLayout> build() {
    if (!findVector())
      return std::nullopt;
    orderTileBits();
    findLines();
    return assemble();
  }

private:
  /// Step 1.
  bool findVector();
  /// All bits of the tile but the vector's, in the order of memory: along the
  /// vector's axis first.
  void orderTileBits();
  /// Step 2.
  void findLines();
  /// Step 3.
  LinearLayout assemble() const;

  Side writer, reader;
  unsigned elementBits, numBits;
  SmallVector<uint64_t> vector, tileBits, lines;
};
} // namespace

bool SwizzleBuilder::findVector() {
  const bool writerIsWider = writer.vectorBits > reader.vectorBits;
  const Side &wide = writerIsWider ? writer : reader;
  const Side &narrow = writerIsWider ? reader : writer;
  SmallVector<uint64_t> others = reader.getUnits();
  for (uint64_t unit : writer.getUnits())
    if (is_contained(others, unit) && vector.size() < narrow.vectorBits)
      vector.push_back(unit);
  if (vector.size() < narrow.vectorBits)
    return false;
  // Best what the narrow side's lanes also go through.
  BitSpan group = narrow.getGroupSpan(elementBits);
  for (bool isInGroup : {true, false})
    for (uint64_t unit : wide.getUnits())
      if (group.contains(unit) == isInGroup && !is_contained(vector, unit) &&
          vector.size() < wide.vectorBits)
        vector.push_back(unit);
  return vector.size() == wide.vectorBits;
}

void SwizzleBuilder::orderTileBits() {
  const LinearLayout &layout = writer.layout;
  SmallVector<unsigned> order;
  for (unsigned axis = layout.getRank(); axis-- > 0;)
    if (!vector.empty() && layout.getCoordinate(vector.front())[axis])
      order.insert(order.begin(), axis);
    else
      order.push_back(axis);
  LinearLayout natural =
      LinearLayout::identity(layout.getShape(), InDim::Offset, order);
  for (uint64_t bit : natural.getBases(InDim::Offset))
    if (is_contained(vector, bit))
      continue;
    // Elements smaller than a word share it with their neighbours.
    else if (vector.size() < getWordBits(elementBits))
      vector.push_back(bit);
    else
      tileBits.push_back(bit);
}

void SwizzleBuilder::findLines() {
  auto span = [&](const Side &side) {
    BitSpan span = side.getGroupSpan(elementBits);
    size_t bits = std::max(side.vectorBits, getWordBits(elementBits));
    for (uint64_t bit : ArrayRef(vector).take_front(bits))
      span.insert(bit);
    return span;
  };
  BitSpan written = span(writer), read = span(reader);
  while (lines.size() + getLineBits(elementBits) < numBits) {
    uint64_t line = 0, forWriter = 0, forReader = 0;
    for (uint64_t bit : reverse(tileBits)) {
      bool fitsWriter = !written.contains(bit),
           fitsReader = !read.contains(bit);
      if (fitsWriter && fitsReader) {
        line = bit;
        break;
      }
      if (fitsWriter && !forWriter)
        forWriter = bit;
      if (fitsReader && !forReader)
        forReader = bit;
    }
    if (!line)
      line = forWriter ^ forReader;
    lines.push_back(line);
    written.insert(line);
    read.insert(line);
  }
}

LinearLayout SwizzleBuilder::assemble() const {
  LinearLayout shared(writer.layout.getShape());
  BitSpan used(lines);
  for (uint64_t bit : vector) {
    used.insert(bit);
    shared.addBasis(InDim::Offset, bit);
  }
  for (uint64_t bit : tileBits)
    if (used.insert(bit))
      shared.addBasis(InDim::Offset, bit);
  // In the order of memory.
  auto getPosition = [&](uint64_t line) {
    return *find_if(reverse(seq<size_t>(0, tileBits.size())),
                    [&](size_t i) { return line & tileBits[i]; });
  };
  SmallVector<uint64_t> sorted = lines;
  llvm::sort(sorted, [&](uint64_t a, uint64_t b) {
    return getPosition(a) < getPosition(b);
  });
  for (uint64_t line : sorted)
    shared.addBasis(InDim::Offset, line);
  return shared;
}

unsigned Swizzle::getNumXors() const {
  unsigned count = 0;
  for (uint64_t basis : shared.getBases(InDim::Offset))
    count += popcount(basis) - 1;
  return count;
}

/// Wavefronts, then accesses.
static std::pair<unsigned, unsigned> getSpeed(const Swizzle &swizzle) {
  const auto &[shared, write, read] = swizzle;
  return {write.getTotalWavefronts() + read.getTotalWavefronts(),
          write.accesses + read.accesses};
}

static bool isInOrder(const SharedAccess &access) {
  return equal(access.vectorBits, seq<unsigned>(access.vectorBits.size()));
}

/// What one swizzle is preferred to another for. With `inOrder` a writer whose
/// vectors are its first registers, as global memory has them, is better than
/// another that is as fast: the write can be an asynchronous copy.
static auto getCost(const Swizzle &swizzle, bool inOrder) {
  return std::tuple(getSpeed(swizzle), inOrder && !isInOrder(swizzle.write),
                    swizzle.getNumXors());
}

/// The best one for a reader by vectors.
static Swizzle chooseForVectors(const LinearLayout &writer,
                                const LinearLayout &reader,
                                unsigned elementBits, unsigned maxVectorBits) {
  unsigned maxBits = Log2_32(std::max(maxVectorBits / elementBits, 1u));
  // Of vectors no wider than those of an order without conflicts none is
  // better: it has as many wavefronts at the least, and more accesses.
  unsigned leastReadBits = 0;
  std::optional<Swizzle> best;
  for (unsigned writeBits = maxBits + 1; writeBits-- > 0;)
    for (unsigned readBits = maxBits + 1; readBits-- > leastReadBits;) {
      auto shared =
          SwizzleBuilder({writer, writeBits}, {reader, readBits}, elementBits)
              .build();
      if (!shared)
        continue;
      auto write =
          getSharedAccess(writer, *shared, elementBits, 1 << writeBits);
      auto read = getSharedAccess(reader, *shared, elementBits, 1 << readBits);
      if (!write || !read)
        continue;
      Swizzle choice{*shared, *write, *read};
      if (!best || getCost(choice, false) < getCost(*best, false))
        best = choice;
      if (!write->getConflicts() && !read->getConflicts())
        leastReadBits = readBits + 1;
    }
  return *best; // single elements are always vectors
}

/// The best one for a writer by vectors, and a reader also by matrices.
static Swizzle chooseForReader(const LinearLayout &writer,
                               const LinearLayout &reader, unsigned elementBits,
                               unsigned maxVectorBits, bool matrixLoads) {
  Swizzle best = chooseForVectors(writer, reader, elementBits, maxVectorBits);
  if (!matrixLoads)
    return best;
  for (bool isTransposed : {false, true}) {
    auto access = getMatrixAccess(reader, elementBits, isTransposed);
    if (!access)
      continue;
    Swizzle choice =
        chooseForVectors(writer, access->rows, elementBits, maxVectorBits);
    // On a tie one instruction that reads matrices is better than words.
    if (getCost(choice, true) <= getCost(best, true) &&
        findMatrixAccess(reader, choice.shared, elementBits))
      best = choice;
  }
  return best;
}

Swizzle tileir::layout::chooseSwizzle(const LinearLayout &writer,
                                      const LinearLayout &reader,
                                      unsigned elementBits,
                                      unsigned maxVectorBits,
                                      MatrixInstructions matrices) {
  assert(writer.getShape() == reader.getShape() && "expects one tile");
  assert(is_contained({8u, 16u, 32u, 64u}, elementBits));
  Swizzle best = chooseForReader(writer, reader, elementBits, maxVectorBits,
                                 matrices.loads);
  if (!matrices.stores || !canStoreMatrices(writer))
    return best;
  for (bool isTransposed : {false, true}) {
    auto access = getMatrixAccess(writer, elementBits, isTransposed,
                                  /*isStore=*/true);
    if (!access)
      continue;
    Swizzle choice = chooseForReader(access->rows, reader, elementBits,
                                     maxVectorBits, matrices.loads);
    // On a tie words of rows are better than vectors of registers from here and
    // there, as rows are then in the order that the reader has them in.
    if (std::pair(getSpeed(choice), false) <
            std::pair(getSpeed(best), !isInOrder(best.write)) &&
        findMatrixStore(writer, choice.shared, elementBits))
      best = choice;
  }
  return best;
}
