//===- Warpgroups.h ---------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The four warps of an aligned warpgroup and their wgmma: who has come, which
// mma_async are in flight, and the operands of those in shared memory.
//
// An mma_async is computed when the last of the four warps has come to it. From
// then to the wait of its group the registers of D may not be used, which
// tickets tell (Decode/WgmmaTickets.cpp), and its operands in shared memory not
// be written, which the shadow of shared memory does (SharedShadow.h).
//
// Plain C++ without LLVM, see Program.h.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_EXEC_WARPGROUPS_H
#define TILEIR_LIB_SIMULATOR_EXEC_WARPGROUPS_H

#include "Exec/Warp.h"

namespace tileir::sim {

constexpr unsigned kWarpsOfGroup = 4;
constexpr unsigned kMaxWarpgroups = kMaxWarps / kWarpsOfGroup;
/// The rows of A and D, and the bytes of a row of A or a column of B.
constexpr unsigned kWgmmaRows = 64, kWgmmaBytes = 32;

/// The object that block.warpgroups points at; made when it is first needed.
class Warpgroups;
void resetWarpgroups(Block &block);
void destroyWarpgroups(Warpgroups *warpgroups);
/// The block has ended: reports what nobody has waited for.
void finishWarpgroups(Block &block);

/// The warp, all of whose lanes are active, comes to an instruction of its
/// warpgroup. True for the last one: `first` is the first of four warps, which
/// all are there. Otherwise the warp waits, and `next` is what the handler has
/// to return.
bool joinWarpgroup(Warp &warp, const Instr *instr, Warp *&first,
                   const Instr *&next);
/// Lets the warps go on that wait for the last one.
void leaveWarpgroup(Warp &last, const Instr *instr);

/// The value of `slot`, of 64 or 32 bits, that all lanes of a warpgroup agree
/// on. False after a finding: they do not.
bool getUniform(Warp *first, const Instr *instr, uint32_t slot, bool isWide,
                const char *what, uint64_t &value);
/// The bytes of an operand in shared memory: 32 of each of `rows` rows (A) or
/// columns (B), one after another; those of a transposed one of 16-bit elements
/// are 16 rows of `rows` elements. False after a finding.
bool readWgmmaOperand(Warp *first, const Instr *instr, uint64_t descriptor,
                      uint32_t rows, bool isTransposed, const char *what,
                      uint8_t *bytes);
/// Notes that the warpgroup begins the mma_async; gives its ticket.
uint32_t beginWgmma(Warp *first, const Instr *instr);

/// setmaxnreg by all four warps, of which `last` came last: gives the next
/// instruction, null while they wait for registers.
const Instr *setMaxRegisters(Warp &last, const Instr *instr);
/// Why a warp waits for registers.
std::string describeRegisters(const Warp &warp, const Instr *instr);

// Instructions of one warp.
void fenceWgmma(Warp &warp);
void commitWgmma(Warp &warp);
void waitWgmma(Warp &warp, int64_t groups);
uint32_t getWgmmaEpoch(Warp &warp);
/// Checks the tickets of values that an instruction uses; of an mma_async the
/// first `numAccumulators` are of D.
void checkWgmmaUse(Warp &warp, const Instr *instr, uint32_t ticket);
void checkWgmmaInput(Warp &warp, const Instr *instr, uint32_t ticket,
                     bool isAccumulator);

/// The last mma_async of a warpgroup, as SharedShadow numbers them, that comes
/// before what a lane of `warp` does now, with all before it.
int32_t getRetiredWgmma(const Block &block, uint32_t warpgroup,
                        const Warp &warp);
/// Its instruction; null: it is of an earlier block.
const Instr *getWgmma(const Block &block, uint32_t warpgroup, int32_t number);

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_EXEC_WARPGROUPS_H
