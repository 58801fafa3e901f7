//===- Cpu.h - The table of CPUs --------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All that is known of a CPU: what `#einsum.machine` says of it, and the costs
// that no description of a processor names. It needs LLVM's support library
// alone, and never asks which CPU it runs on: tileir/Runtime/HostCpu.h does.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TARGET_CPU_CPU_H
#define TILEIR_TARGET_CPU_CPU_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace tileir::machine {

/// The CPU of modules that name none, so that what the compiler makes of them
/// does not depend on the machine that it runs on.
inline constexpr llvm::StringLiteral kDefaultCpu = "generic";

/// Bytes of a line of all caches, and of a page.
inline constexpr int64_t kLineBytes = 64, kPageBytes = 4096;

/// Cycles, and parts of caches, by which estimates tell kernels apart.
///
/// All were fitted by hand on guests of two cores of a Zen 4 and a Sapphire
/// Rapids: each candidate of a contraction was timed, in turns with the others,
/// and a figure moved until the estimates were in the order of the times. The
/// sentence of a field names the candidates that differ in it; to fit it for
/// another CPU, time these. CPUs without figures of their own have these.
struct CpuCosts {
  /// Loads and stores of vectors and all operations that can start in a cycle:
  /// the ports that the vendors' optimization manuals list for both.
  double loadsPerCycle = 2, storesPerCycle = 1, opsPerCycle = 6;
  /// Cycles that a load takes from the arithmetic that hides it: tiles of equal
  /// area, 4 x 4 and 8 x 2, at products of 64 to 128 that stay in the first
  /// cache.
  double loadCycles = 0.03;
  /// Cycles more for a vector that is parts of two lines: convolutions in NCHW
  /// by three rows of seven vectors, six of four, and by channels along lanes.
  double splitCycles = 0.14;
  /// Cycles of a tile besides its steps, for the mispredicted end of its loop
  /// and for addresses: products of 16 to 64 with sums of few steps.
  double tileCycles = 24;
  /// Cycles for the ends of the innermost loop over a sum, if it is one:
  /// convolutions of 3 x 3 with a row of the filter unrolled and not.
  double loopCycles = 2;
  /// Accumulators whose start and end overlap with those of the next tile, and
  /// cycles for each further one: tiles of 16 and of 24 to 28 accumulators at
  /// products up to 128.
  double overlappedAccumulators = 16, lateAccumulator = 0.5;
  /// The part of the arithmetic that groups of two sizes cost more, for code is
  /// larger: 33 and 65 rows by tiles that divide them and that do not.
  double uneven = 0.005;
  /// Cycles of a tile whose sum goes on from what the result holds: products of
  /// 512 and more with the sum whole and in parts.
  double resumeCycles = 60;
  /// Cycles of a call of the kernel, for the loops around it: batches of
  /// products of 16.
  double callCycles = 6;
  /// Bytes in a cycle from the second and third cache and from memory of what
  /// is read in streams and fetched ahead: the lanes' operand, at products from
  /// 128 to 2048.
  double bytesFromL2 = 40, bytesFromL3 = 6, bytesFromMemory = 3;
  /// Cycles for each byte from there of what is read along rows, a few elements
  /// of many lines at a time, for which arithmetic waits: the same products
  /// with M much larger and much smaller than N.
  double rowByteFromL2 = 0.01, rowByteFromL3 = 0.05, rowByteFromMemory = 0.1;
  /// Cycles for each byte of vectors that are parts of two lines and not in the
  /// first cache: convolutions in NCHW, and N that is no multiple of 16.
  double splitByte = 0.02;
  /// Pages that are found at once, and cycles to find another one: products of
  /// which a column of the second operand, not packed, goes through 32 to 512
  /// pages.
  double pages = 80, pageCycles = 6;
  /// The parts of the first and second cache that one operand may fill, and of
  /// the second one what is no panel by itself, for other data comes between:
  /// sizes of products around which packing begins to pay.
  double l1Share = 0.5, l2Share = 0.65, sharedL2 = 0.4;
  /// The overlap of arithmetic and streams: the exponent of a norm of both,
  /// with infinity as if the longer one were alone. Products of 256 to 1024,
  /// and panels of the lanes' operand that do not stay in the first cache.
  double overlap = 3;
  /// Bytes of one way of the first and second cache, as cpuid tells them.
  int64_t l1Way = 4 << 10, l2Way = 128 << 10;
  /// Cycles to copy a byte of an operand in vectors, an element by transposing
  /// blocks, and an element by itself: products with packing and without, of
  /// operands in both orders.
  double packByte = 0.14, transposeElement = 0.5, packElement = 1.5;
  /// Bytes of a buffer from which on the system gives new pages, and cycles for
  /// each of them: the same, with panels below and above that size.
  double freshBuffer = 1 << 20, freshByte = 0.25;
  /// Cycles for each element along rows that tables lead to; the same if the
  /// lines push each other out of the first cache; and if they do without
  /// tables: convolutions padded and strided, and rows that are powers of two
  /// apart.
  double tabledElement = 0.25, tabledConflict = 0.6, conflict = 0.15;
  /// Bytes of a result of which the third cache keeps nothing until they are
  /// read, however large it is, for others use it too; half of it, where it is
  /// smaller: results of 26 and 116 MB, written and written past the caches,
  /// for as long as it takes to see that others come and go.
  double keptResult = 24 << 20;
  /// Cycles to write a byte of a result that the second cache does not hold; of
  /// several rows that are streams, each in pages of its own; and past the
  /// caches: convolutions with large images, by rows along one and over several
  /// ones.
  double resultByte = 0.35, streamsByte = 0.15, streamedByte = 0.15;
  /// Cycles to write a piece of a row of such a result, if rows are written by
  /// pieces, one after the other: the same, by tiles of two to seven vectors.
  double resultPiece = 128;
  /// Cycles to store an element of a vector by itself: images of 14 x 14 in
  /// NCHW with channels along lanes.
  double scatterElement = 3;
  /// Cycles of a product of registers of a matrix unit, of one that adds to
  /// what the one before does, of a load from the first cache, more of one
  /// whose rows are parts of two lines, to store a row, and to convert one:
  /// loops of each on a processor with AMX, products of 512 whose first operand
  /// begins where lines do, and does not, and products of 64 with sums of 3
  /// and 8.
  double matrixProduct = 16, matrixLatency = 52, matrixLoad = 8,
         matrixSplit = 18, matrixStore = 2, matrixConvert = 6;
  /// Bytes in a cycle that registers of a matrix unit load from the second
  /// cache: the same loops, with one of two operands there, and both.
  double matrixBytesFromL2 = 31;
  /// Cycles to copy an element to the place where registers load it, if neither
  /// lanes nor steps follow in memory, but some places apart, and if these are
  /// farther apart: convolutions in NCHW, of filters in order kcrs, with images
  /// of 14 x 14 and 7 x 7.
  double matrixSpread = 1, matrixGather = 2.2;
  /// How much longer rows take to be brought that are in pages of their own:
  /// products of 4096, with a copy of the rows and without.
  double matrixFarRows = 1.3;
  /// The part of the first cache that rows of registers may fill, while others
  /// are loaded with a hint that these are not kept: products with sums of 256
  /// to 1024 in parts.
  double matrixL1Share = 0.7;
  /// The part of the second cache from which on operands are prefetched, and
  /// how many steps ahead, which is more than the second cache takes: products
  /// of 256 to 1024, alone and with another thread on the core.
  double prefetchedL2 = 0.25;
  int64_t prefetchSteps = 2;
};

/// One entry of the table.
struct Cpu {
  std::string name;         ///< for LLVM: "znver4"
  int64_t vectorBits = 256; ///< of a vector, a power of two
  int64_t registers = 16;   ///< of vectors
  /// Multiply-adds of vectors that start in a cycle, and cycles until one can
  /// be added to.
  int64_t fma = 2, latency = 4;
  /// Bytes of the caches (of data), and threads that run at once.
  int64_t l1 = 32 << 10, l2 = 1 << 20, l3 = 8 << 20, cores = 8;
  /// Dot products of bf16 pairs (`vdpbf16ps`) are there, and faster than
  /// multiply-adds of f32.
  bool bf16 = false;
  /// A matrix unit, AMX, for products of bf16 and of i8.
  bool amx = false;
  CpuCosts costs = {};
};

/// The CPU `name`; null if the table lacks it.
const Cpu *findCpu(llvm::StringRef name);

/// The CPU `name`, or the one of the table whose cores are built most alike;
/// null if that is not known of any.
const Cpu *findNearestCpu(llvm::StringRef name);

/// Returns the entry of kDefaultCpu.
const Cpu &getDefaultCpu();

/// The costs of the CPU `name`, or of the default one if the table lacks it.
const CpuCosts &getCpuCosts(llvm::StringRef name);

/// All entries.
llvm::ArrayRef<Cpu> getCpus();

/// The names of all, separated by commas.
std::string getCpuNames();

} // namespace tileir::machine

#endif // TILEIR_TARGET_CPU_CPU_H
