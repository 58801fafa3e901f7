//===- ExecCopy.cpp -------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handlers of cp.async and of ldmatrix and stmatrix. A matrix is 8 rows of 16
// bytes; lane 8m + r names row r of matrix m. Lane 4r + t holds elements 2t and
// 2t + 1 of row r in its register of the matrix: so the register of all lanes
// is the 8 rows one after another, or the transposed matrix with .trans.
//
//===----------------------------------------------------------------------===//

#include "Exec/Exec.h"
#include "Memory/Memory.h"

namespace tileir::sim {
namespace TILEIR_SIM_ISA {

constexpr unsigned kRows = 8, kRowBytes = 16;

typedef uint16_t Matrix[kRows][kRows];
static_assert(sizeof(Matrix) == sizeof(U32), "a matrix fills a register");

/// All lanes have to be there.
SIM_INLINE bool isWhole(Warp &warp, const Instr *instr, const Instr *&next) {
  return __builtin_expect(warp.active == kAllLanes, 1) ||
         collectWarp(warp, instr, next);
}

static void transpose(Matrix &to, const Matrix &from) {
  for (unsigned i = 0; i < kRows; ++i)
    for (unsigned j = 0; j < kRows; ++j)
      to[i][j] = from[j][i];
}

/// `words`: see resolveRows.
SIM_INLINE void getRows(Warp &warp, const Instr *instr, unsigned matrices,
                        const uint32_t *words, uint8_t **rows) {
  alignas(128) uint64_t addresses[kLanes];
  *reinterpret_cast<U64 *>(addresses) =
      reg<U64>(warp, instr->a) + uint64_t(instr->imm);
  resolveRows(warp, instr, addresses, matrices * kRows, words, rows);
}

static const Instr *ldMatrix(Warp &warp, const Instr *instr) {
  const Instr *next;
  if (!isWhole(warp, instr, next))
    return next;
  const Program &program = *warp.block->launch->program;
  const bool transposed = program.accesses[instr->extra].transpose;
  const uint32_t *defs = program.pool.data() + instr->list;
  uint8_t *rows[kLanes];
  getRows(warp, instr, instr->numDefs, nullptr, rows);
  for (unsigned m = 0; m < instr->numDefs; ++m) {
    alignas(128) Matrix matrix;
    for (unsigned r = 0; r < kRows; ++r)
      if (const uint8_t *row = rows[m * kRows + r])
        __builtin_memcpy(matrix[r], row, kRowBytes);
      else
        __builtin_memset(matrix[r], 0, kRowBytes);
    U32 &result = reg<U32>(warp, defs[m]);
    if (transposed) {
      alignas(128) Matrix turned;
      transpose(turned, matrix);
      __builtin_memcpy(&result, turned, sizeof(Matrix));
    } else {
      __builtin_memcpy(&result, matrix, sizeof(Matrix));
    }
  }
  if (__builtin_expect(warp.undefinedLanes, 0))
    return trackWarp(warp, instr);
  return instr + 1;
}

static const Instr *stMatrix(Warp &warp, const Instr *instr) {
  const Instr *next;
  if (!isWhole(warp, instr, next))
    return next;
  const Program &program = *warp.block->launch->program;
  const bool transposed = program.accesses[instr->extra].transpose;
  const uint32_t *uses = program.pool.data() + instr->list + instr->numDefs;
  // The rows of all matrices, and word k of row r at [k][r].
  alignas(128) Matrix matrices[kLanes / kRows];
  alignas(128) uint32_t words[kRowBytes / 4][kLanes];
  for (unsigned m = 0; m < instr->numUses; ++m) {
    Matrix stored;
    __builtin_memcpy(stored, &reg<U32>(warp, uses[m]), sizeof(Matrix));
    if (transposed)
      transpose(matrices[m], stored);
    else
      __builtin_memcpy(matrices[m], stored, sizeof(Matrix));
    for (unsigned r = 0; r < kRows; ++r)
      for (unsigned k = 0; k < kRowBytes / 4; ++k)
        __builtin_memcpy(&words[k][m * kRows + r], &matrices[m][r][2 * k], 4);
  }
  uint8_t *rows[kLanes];
  getRows(warp, instr, instr->numUses, words[0], rows);
  for (unsigned r = 0; r < instr->numUses * kRows; ++r)
    if (rows[r])
      __builtin_memcpy(rows[r], matrices[r / kRows][r % kRows], kRowBytes);
  return instr + 1;
}

static const Instr *cpAsync(Warp &warp, const Instr *instr) {
  alignas(128) uint64_t destinations[kLanes];
  *reinterpret_cast<U64 *>(destinations) =
      reg<U64>(warp, instr->a) + uint64_t(instr->imm);
  issueCopies(warp, instr, destinations,
              reinterpret_cast<const uint64_t *>(&reg<U64>(warp, instr->b)),
              instr->c == kNoRegister ? nullptr
                                      : warp.registers + instr->c * kLanes);
  return instr + 1;
}

static const Instr *cpAsyncCommit(Warp &warp, const Instr *instr) {
  commitCopies(warp);
  return instr + 1;
}

static const Instr *cpAsyncWait(Warp &warp, const Instr *instr) {
  waitCopies(warp, instr->imm);
  return instr + 1;
}

void addCopyHandlers(Handler *table) {
  table[unsigned(Opcode::LdMatrix)] = ldMatrix;
  table[unsigned(Opcode::StMatrix)] = stMatrix;
  table[unsigned(Opcode::CpAsync)] = cpAsync;
  table[unsigned(Opcode::CpAsyncCommit)] = cpAsyncCommit;
  table[unsigned(Opcode::CpAsyncWait)] = cpAsyncWait;
}

} // namespace TILEIR_SIM_ISA
} // namespace tileir::sim
