//===- MatrixAccess.cpp - Accesses of whole matrices ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of the lane's bits, 0 and 1 number the words of a row and 2 to 4 the rows;
// transposed, 2 to 4 number the elements of a row, and the register's first bit
// with the lane's first two the rows.
//
//===----------------------------------------------------------------------===//

#include "tileir/Layout/Shared/MatrixAccess.h"

#include "LineBits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace tileir::layout;
using namespace llvm;

constexpr unsigned kLaneBits = 5, kRowBits = 3, kMaxMatrixBits = 2;

std::optional<MatrixAccess>
tileir::layout::getMatrixAccess(const LinearLayout &registers,
                                unsigned elementBits, bool isTransposed,
                                bool isStore) {
  if (registers.getNumBits(InDim::Lane) != kLaneBits || elementBits > 32 ||
      (isTransposed && elementBits != 16))
    return std::nullopt;
  unsigned numWordBits = getWordBits(elementBits);
  unsigned numRegisterBits = registers.getNumBits(InDim::Register);
  if (numRegisterBits < numWordBits)
    return std::nullopt;

  MatrixAccess access;
  access.isTransposed = isTransposed;
  ArrayRef<uint64_t> ofRegister = registers.getBases(InDim::Register),
                     ofLane = registers.getBases(InDim::Lane);
  auto isAlongRows = [&](unsigned bit) {
    Coordinate inRow = registers.getCoordinate(ofLane[isTransposed ? 2 : 0]),
               step = registers.getCoordinate(ofRegister[bit]);
    return all_of(zip_equal(inRow, step), [](auto steps) {
      auto [ofRow, ofBit] = steps;
      return ofRow || !ofBit;
    });
  };
  append_range(access.wordBits, seq(0u, numWordBits));
  SmallVector<unsigned> bits, across;
  for (unsigned bit : seq(numWordBits, numRegisterBits))
    (isStore && !isAlongRows(bit) ? across : bits).push_back(bit);
  append_range(bits, across);
  for (unsigned bit : bits)
    if (access.matrixBits.size() < kMaxMatrixBits)
      access.matrixBits.push_back(bit);
    else
      access.otherBits.push_back(bit);

  SmallVector<uint64_t> inRow, rows;
  // A row's words, by their elements, and the rows; or the other way round.
  append_range(isTransposed ? rows : inRow, ofRegister.take_front(numWordBits));
  append_range(isTransposed ? rows : inRow, ofLane.take_front(2));
  append_range(isTransposed ? inRow : rows, ofLane.drop_front(2));
  assert(rows.size() == kRowBits && "expects 8 rows");
  for (unsigned bit : access.matrixBits)
    rows.push_back(ofRegister[bit]);
  for (unsigned bit : access.otherBits)
    inRow.push_back(ofRegister[bit]);
  access.rows = registers;
  access.rows.setBases(InDim::Register, inRow);
  access.rows.setBases(InDim::Lane, rows);
  return access;
}

static std::optional<MatrixAccess> find(const LinearLayout &registers,
                                        const LinearLayout &shared,
                                        unsigned elementBits, bool isStore) {
  for (bool isTransposed : {false, true}) {
    auto access =
        getMatrixAccess(registers, elementBits, isTransposed, isStore);
    if (!access)
      continue;
    unsigned vector = kMaxAccessBits / elementBits;
    auto rows = getSharedAccess(access->rows, shared, elementBits, vector);
    if (!rows)
      continue;
    // Elements of a row are in the order in which lanes get them.
    bool isInOrder = true;
    for (auto [position, bit] : enumerate(rows->vectorBits))
      isInOrder &= position == bit;
    if (isInOrder)
      return access;
  }
  return std::nullopt;
}

std::optional<MatrixAccess>
tileir::layout::findMatrixAccess(const LinearLayout &registers,
                                 const LinearLayout &shared,
                                 unsigned elementBits) {
  return find(registers, shared, elementBits, /*isStore=*/false);
}

bool tileir::layout::canStoreMatrices(const LinearLayout &registers) {
  return registers.getFreeBits(InDim::Register) == 0 &&
         registers.getFreeBits(InDim::Lane) == 0;
}

std::optional<MatrixAccess>
tileir::layout::findMatrixStore(const LinearLayout &registers,
                                const LinearLayout &shared,
                                unsigned elementBits) {
  if (!canStoreMatrices(registers))
    return std::nullopt;
  auto access = find(registers, shared, elementBits, /*isStore=*/true);
  if (!access)
    return std::nullopt;
  SharedAccess matrices = *getSharedAccess(access->rows, shared, elementBits,
                                           kMaxAccessBits / elementBits),
               vectors = getWidestAccess(registers, shared, elementBits);
  return matrices.getCost() < vectors.getCost() ? access : std::nullopt;
}
