//===- MatrixAccessTest.cpp - Tests of accesses of whole matrices ---------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ldmatrix and stmatrix are carried out as the PTX ISA has them, on a shared
// memory in which each element is its own number: each register has to meet the
// element that its layout says.
//
//===----------------------------------------------------------------------===//

#include "LayoutTesting.h"

#include "tileir/Layout/Fragments/MmaAtom.h"
#include "tileir/Layout/Global/GlobalMemory.h"
#include "tileir/Layout/Shared/MatrixAccess.h"

#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace tileir::layout;
using namespace llvm;

/// The numbers whose only bits are `bits`, in order.
static SmallVector<uint64_t> listNumbers(ArrayRef<unsigned> bits) {
  SmallVector<uint64_t> numbers;
  for (uint64_t i = 0; i < uint64_t(1) << bits.size(); ++i) {
    uint64_t number = 0;
    for (unsigned position = 0; position < bits.size(); ++position)
      number |= (i >> position & 1) << bits[position];
    numbers.push_back(number);
  }
  return numbers;
}

/// Carries out the accesses of all warps; returns how many registers meet
/// another element than theirs.
static unsigned countWrong(const LinearLayout &registers,
                           const LinearLayout &shared, unsigned elementBits,
                           const MatrixAccess &access) {
  unsigned perRow = 128 / elementBits, perWord = 32 / elementBits;
  std::vector<uint64_t> memory(countElements(registers));
  for (uint64_t offset = 0; offset < memory.size(); ++offset)
    memory[offset] = shared.getElementAt({{InDim::Offset, offset}});
  LinearLayout offsets = getOffsets(access.rows, shared);
  unsigned wrong = 0;
  for (uint64_t warp = 0; warp < registers.getSize(InDim::Warp); ++warp)
    for (auto [number, other] : enumerate(listNumbers(access.otherBits)))
      for (auto [matrix, ofMatrix] : enumerate(listNumbers(access.matrixBits)))
        for (uint64_t lane = 0; lane < 32; ++lane)
          for (auto [i, inWord] : enumerate(listNumbers(access.wordBits))) {
            // Lane 8 m + r has the address of row r of matrix m.
            uint64_t row = lane / 4, column = perWord * (lane % 4) + i;
            if (access.isTransposed) {
              row = 2 * (lane % 4) + i;
              column = lane / 4;
            }
            uint64_t address =
                offsets.getElementAt({{InDim::Register, number * perRow},
                                      {InDim::Lane, 8 * matrix + row},
                                      {InDim::Warp, warp}});
            uint64_t got = memory[address + column];
            wrong += address % perRow != 0 ||
                     got != elementAt(registers,
                                      {other | ofMatrix | inWord, lane, warp});
          }
  return wrong;
}

TEST(MatrixAccess, GivesRegistersTheirElements) {
  unsigned read = 0;
  for (const MmaAtom &atom : getAtoms())
    for (const MmaAtom::Fragment &fragment : atom.fragments) {
      Operand operand = fragment.operand;
      bool isByte = atom.k == 32 || atom.name == "m8n8k16_i8";
      unsigned bits = isByte ? 8 : operand.type == Scalar::F32 ? 32 : 16;
      if (operand.matrix == Matrix::Acc || operand.type == Scalar::F64)
        continue;
      for (int64_t size : {32, 64, 128})
        for (unsigned fast : {0, 1})
          for (int64_t warps : {1, 2}) {
            MmaGrid grid{&atom, warps, warps};
            if (!checkOperand(grid, operand, {size, size}).empty())
              continue;
            SCOPED_TRACE(formatv("{0} {1} {2} {3}", atom.name,
                                 int(operand.matrix), size, fast)
                             .str());
            LinearLayout writer =
                getCoalesced({size, size}, bits, {fast, size}, warps * warps);
            LinearLayout reader = getOperand(grid, operand, {size, size});
            Swizzle swizzle =
                chooseSwizzle(writer, reader, bits, kMaxAccessBits,
                              {/*loads=*/true, /*stores=*/false});
            EXPECT_EQ(swizzle.write.getConflicts(), 0u);
            auto access = findMatrixAccess(reader, swizzle.shared, bits);
            bool isSync = !StringRef(atom.name).starts_with("volta");
            bool runsAlongK = fast == (operand.matrix == Matrix::A ? 1u : 0u);
            // Words of K in memory's order, or 16 bits across it.
            if (isSync && (runsAlongK || bits == 16))
              EXPECT_TRUE(access);
            if (!access)
              continue;
            ++read;
            EXPECT_EQ(countWrong(reader, swizzle.shared, bits, *access), 0u);
            // Of large operands of the usual atoms each side moves 16 bytes.
            if (!StringRef(atom.name).starts_with("m16n8k16") || size < 64)
              continue;
            EXPECT_EQ(access->isTransposed, !runsAlongK);
            EXPECT_EQ(access->getNumMatrices(), 4u);
            EXPECT_EQ(swizzle.read.getConflicts(), 0u);
            EXPECT_EQ(swizzle.read.vector * bits, 128u);
            EXPECT_EQ(swizzle.write.vector * bits, 128u);
          }
    }
  EXPECT_GT(read, 50u);
}

/// Results on their way to the layout of a store, in both orders of memory.
TEST(MatrixAccess, StoresRegistersWhereTheirElementsAre) {
  unsigned stored = 0;
  for (const MmaAtom &atom : getAtoms())
    for (unsigned bits : {8, 16, 32})
      for (int64_t size : {32, 64, 128})
        for (unsigned fast : {0, 1})
          for (int64_t warps : {1, 2}) {
            MmaGrid grid{&atom, warps, warps};
            Operand operand = {Matrix::Acc, getTypes(atom, Matrix::Acc).back(),
                               Major::Row};
            if (!checkOperand(grid, operand, {size, size}).empty())
              continue;
            SCOPED_TRACE(formatv("{0} {1} {2} {3} {4}", atom.name, bits, size,
                                 fast, warps)
                             .str());
            LinearLayout writer = getOperand(grid, operand, {size, size});
            LinearLayout reader =
                getCoalesced({size, size}, bits, {fast, size}, warps * warps);
            auto choose = [&](bool stores) {
              return chooseSwizzle(writer, reader, bits, kMaxAccessBits,
                                   {/*loads=*/true, stores});
            };
            Swizzle swizzle = choose(true), plain = choose(false);
            auto access = findMatrixStore(writer, swizzle.shared, bits);
            auto getSpeed = [](const Swizzle &swizzle) {
              return std::pair(swizzle.write.getTotalWavefronts() +
                                   swizzle.read.getTotalWavefronts(),
                               swizzle.write.accesses + swizzle.read.accesses);
            };
            // Never slower, and for all pairs of 16 bits.
            bool isPairs =
                bits == 16 && StringRef(atom.name).starts_with("m16");
            if (isPairs)
              EXPECT_TRUE(access);
            if (!access) {
              EXPECT_EQ(getSpeed(swizzle), getSpeed(plain));
              continue;
            }
            ++stored;
            EXPECT_LE(getSpeed(swizzle), getSpeed(plain));
            EXPECT_EQ(countWrong(writer, swizzle.shared, bits, *access), 0u);
            if (!isPairs || size < 64)
              continue;
            EXPECT_EQ(access->isTransposed, fast == 0);
            EXPECT_EQ(access->getNumMatrices(), 4u);
            EXPECT_EQ(swizzle.write.getConflicts(), 0u);
            EXPECT_EQ(swizzle.read.getConflicts(), 0u);
            EXPECT_EQ(swizzle.write.vector * bits, 128u);
            EXPECT_EQ(swizzle.read.vector * bits, 128u);
          }
  EXPECT_GT(stored, 20u);
}

/// Elements that lanes or registers hold twice, and registers that are stored
/// by vectors as wide as rows.
TEST(MatrixAccess, StoresByVectorsOtherwise) {
  MmaGrid grid{findAtom("m16n8k16_f16")};
  LinearLayout c =
      getOperand(grid, {Matrix::Acc, Scalar::F16, Major::Row}, {16, 16});
  LinearLayout rows = LinearLayout::identity({16, 16}, InDim::Offset);
  ASSERT_TRUE(findMatrixStore(c, rows, 16));
  LinearLayout lanes = c, registers = c;
  SmallVector<uint64_t> bases(c.getBases(InDim::Lane));
  bases.back() = 0;
  lanes.setBases(InDim::Lane, bases);
  registers.addBasis(InDim::Register, uint64_t(0));
  EXPECT_FALSE(canStoreMatrices(lanes));
  EXPECT_FALSE(canStoreMatrices(registers));
  EXPECT_FALSE(findMatrixStore(registers, rows, 16));
  LinearLayout wide = getCoalesced({16, 16}, 16, {1, 16}, 1);
  EXPECT_TRUE(canStoreMatrices(wide));
  EXPECT_FALSE(findMatrixStore(wide, rows, 16));
}

/// A shared memory in which the elements of a row are not side by side, or not
/// in the order of lanes.
TEST(MatrixAccess, RefusesOtherOrders) {
  MmaGrid grid{findAtom("m16n8k16_f16")};
  LinearLayout a =
      getOperand(grid, {Matrix::A, Scalar::F16, Major::Row}, {16, 16});
  LinearLayout rows = LinearLayout::identity({16, 16}, InDim::Offset);
  ASSERT_TRUE(findMatrixAccess(a, rows, 16));
  LinearLayout swapped =
                   rows.selectBits(InDim::Offset, {1, 0, 2, 3, 4, 5, 6, 7}),
               spread =
                   rows.selectBits(InDim::Offset, {0, 1, 4, 2, 3, 5, 6, 7});
  EXPECT_FALSE(findMatrixAccess(a, swapped, 16));
  EXPECT_FALSE(findMatrixAccess(a, spread, 16));
  // Of elements of 8 bits there are no transposed matrices.
  MmaGrid bytes{findAtom("m16n8k32_i8")};
  LinearLayout b =
      getOperand(bytes, {Matrix::B, Scalar::I8, Major::Column}, {32, 32});
  EXPECT_FALSE(
      findMatrixAccess(b, LinearLayout::identity({32, 32}, InDim::Offset), 8));
  EXPECT_FALSE(getMatrixAccess(b, 8, /*isTransposed=*/true));
  EXPECT_FALSE(getMatrixAccess(b, 64, /*isTransposed=*/false));
}
