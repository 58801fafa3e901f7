//===- Program.h ------------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A decoded kernel: straight arrays that the execution loop walks. Decoding
// (Decoder.h) flattens vectors and structs into registers of 32 lanes; a
// register is one or two slots of 128 bytes, for 32- and 64-bit lanes.
//
// Plain C++ without LLVM: the sources of execution include it and are compiled
// once per instruction set of the host.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_PROGRAM_H
#define TILEIR_LIB_SIMULATOR_PROGRAM_H

#include "tileir/Simulator/Counters.h"
#include "tileir/Simulator/Findings.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tileir::sim {

constexpr unsigned kLanes = 32;
constexpr uint32_t kAllLanes = 0xffffffff;
constexpr uint32_t kNoRegister = 0xffffffff;

enum class Opcode : uint16_t {
#define SIM_OP(name, instrClass, flops) name,
#include "Opcodes.def"
  NumOpcodes
};
constexpr unsigned kNumOpcodes = unsigned(Opcode::NumOpcodes);

enum class SpecialRegister : uint8_t {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  LaneId,
  WarpId,
  NWarpId,
  WarpSize,
  SmId,
  NSmId,
  GridId,
  LanemaskEq,
  LanemaskLe,
  LanemaskLt,
  LanemaskGe,
  LanemaskGt,
  Clock,
  Clock64,
  GlobalTimer,
  DynamicSharedSize,
  TotalSharedSize,
  EnvReg1, ///< of the address of what grids meet at: the high
  EnvReg2, ///< and the low half
  ClusterIdX,
  ClusterIdY,
  ClusterIdZ,
  NClusterIdX,
  NClusterIdY,
  NClusterIdZ,
  ClusterCtaidX,
  ClusterCtaidY,
  ClusterCtaidZ,
  ClusterNctaidX,
  ClusterNctaidY,
  ClusterNctaidZ,
  ClusterCtarank,
  ClusterNctarank,
  IsExplicitCluster,
};
enum class ShflMode : uint8_t { Up, Down, Bfly, Idx };
enum class VoteMode : uint8_t { All, Any, Uni, Ballot };
enum class ReduxMode : uint8_t { Add, SMin, SMax, UMin, UMax, And, Or, Xor };
enum class BarrierMode : uint8_t { Sync, Arrive, RedAnd, RedOr, RedPopc };
enum class Scope : uint8_t { Block, Gpu, System };
/// Cluster: shared memory in the window of a rank, which is found when a
/// generic address is looked at.
enum class Space : uint8_t {
  Generic,
  Global,
  Shared,
  Constant,
  Local,
  Cluster
};
enum class AtomicOp : uint8_t {
  Exchange,
  Add,
  Sub,
  And,
  Or,
  Xor,
  SMin,
  SMax,
  UMin,
  UMax,
  Inc,
  Dec, // PTX: wrap at the operand
  FAdd,
  FSub,
  FMin,
  FMax,
};
/// The types of elements where the operation depends on them.
enum class ElementType : uint8_t {
  I8,
  U8,
  I32,
  I64,
  F16,
  BF16,
  TF32,
  F32,
  F64,
  E4M3,
  E5M2
};

/// How floating-point results are rounded: PTX's .rn, .rz, .rm, .rp.
enum class Rounding : uint8_t { Nearest, Zero, Down, Up };
/// Beside a Rounding, in the imm of arithmetic in a mode: subnormal operands
/// and results become zeros of their signs (.ftz); results are clamped to [0,
/// 1], NaN to 0 (.sat).
constexpr int64_t kRoundingMask = 3, kFlush = 4, kSaturate = 8;

/// Beside a number of bits, in the imm of conversions to integers: NaN becomes
/// the highest bit alone, not 0.
constexpr int64_t kNaNIsHighestBit = 128;

struct Instr;
struct Warp;
/// Executes one instruction for the active lanes of a warp; gives the next one,
/// or null when the warp stops: it ended, waits, or has used up its time slice.
///
/// A result may share its register with an operand: handlers read all operands
/// before they write a result. Lanes that are not active keep their values.
using Handler = const Instr *(*)(Warp &, const Instr *);

struct Instr {
  Handler handler = nullptr;
  uint32_t dst = kNoRegister; ///< first slot of the register; kNoRegister: none
  uint32_t a = kNoRegister, b = kNoRegister, c = kNoRegister;
  int64_t imm = 0;
  uint32_t extra = 0; ///< index into a side table, or more of an immediate
  /// Program::pool[list, list + numDefs) are results, the numUses entries after
  /// them operands, beyond dst, a, b, c.
  uint32_t list = 0;
  uint16_t numDefs = 0, numUses = 0;
  Opcode opcode = Opcode::Copy32;
  /// The machine does it together with the one before: it is not counted.
  bool isPart = false;
  const Instr *target = nullptr, *target2 = nullptr; ///< of Jump and Branch
  uint32_t location = 0; ///< index in Program::locations
};

/// One access of memory: what one PTX instruction would do.
struct Access {
  Space space = Space::Generic;
  Opcode opcode = Opcode::Load;
  uint8_t elementBytes = 4; ///< 1, 2, 4, 8: each element fills a register
  uint8_t elements = 1;     ///< side by side; 1, 2, 4, 8 or 16
  uint8_t bytes = 4;        ///< elementBytes * elements, 1 to 32
  bool isVolatile = false;
  bool isAtomic = false; ///< LLVM atomic load/store, RMW, cmpxchg
  bool isPolled = false; ///< a volatile load that a loop repeats until it likes
                         ///< the value
  /// A load: its value does no more than be stored to global memory by the same
  /// warp, by stores of this group; 0: it does more.
  uint32_t storedGroup = 0;
  bool isHint = false; ///< a plain load that an atomic at its address judges
  bool acquire = false, release = false; ///< its memory order
  /// A scalar of so many bytes that is less aligned than that was cut into this
  /// and other accesses; 0: it was not. This one begins `wholeOffset` behind
  /// it.
  uint8_t wholeBytes = 0, wholeOffset = 0;
  Scope scope = Scope::System;
  AtomicOp atomicOp = AtomicOp::Exchange;
  ElementType type = ElementType::I32; ///< of atomics
  bool transpose = false;              ///< of LdMatrix
  /// Of mbarriers: arrive_drop, .noComplete, a wait for a parity.
  bool drops = false, noComplete = false, isParity = false;
  bool increments = false; ///< of MBarrierArriveCopies: without .noinc
  uint32_t instr = 0;      ///< its index in Program::code

  /// Whether it orders what other blocks do: PTX's scope cta does not.
  bool releasesToBlocks() const { return release && scope != Scope::Block; }
  bool acquiresFromBlocks() const { return acquire && scope != Scope::Block; }
};

enum class MmaShape : uint8_t {
  M8N8K4,
  M16N8K8,
  M16N8K16,
  M16N8K4,
  M8N8K16,
  M16N8K32
};
struct Mma {
  MmaShape shape = MmaShape::M8N8K4;
  ElementType a = ElementType::F16, b = ElementType::F16;
  ElementType c = ElementType::F32, d = ElementType::F32;
  bool aRowMajor = true, bRowMajor = false;
  bool saturate = false;
  uint8_t m = 8, n = 8, k = 4;
  uint8_t aRegisters = 4, bRegisters = 4, cRegisters = 8, dRegisters = 8;
};

/// wgmma.mma_async: 64 rows, n columns.
struct Wgmma {
  ElementType a = ElementType::F16, b = ElementType::F16, d = ElementType::F32;
  bool isBits = false; ///< A and B are of b1
  bool aInRegisters = false, aTransposed = false, bTransposed = false;
  bool negate = false; ///< the products
  bool saturate = false;
  uint16_t n = 8, k = 16, dRegisters = 4;
};

/// How a chip's tensor cores add products of floating point: some at a time,
/// cut to so many bits behind the point of the largest (Exec/MmaModel.h).
struct MmaModel {
  int fractionBits = 0;     ///< 0: exact sums, as without a model
  unsigned groupBytes = 16; ///< of a row of A
  int float8Bits = 0;       ///< instead of fractionBits, of mma on f8
};

/// The same of wgmma on f8.
inline constexpr int kGroupFloat8Bits = 13;

/// cp.async.bulk: to shared memory, from it (two), and within a cluster
/// (three).
struct Bulk {
  enum Kind : uint8_t { Load, Store, Reduce, Send, StoreAsync, ReduceAsync };
  Kind kind = Load;
  bool isTensor = false, isIm2col = false;
  bool hasMask = false; ///< of blocks of a cluster, the last operand
  uint8_t rank = 0, numOffsets = 0, elements = 1;
  AtomicOp op = AtomicOp::Add;         ///< see Memory/BulkReduce.h
  ElementType type = ElementType::I32; ///< of a reduction that is no tensor
  bool isSigned = false;
};

/// The fields of a tensor map that tensormap.replace names.
enum class TensorField : uint8_t {
  Address,
  Rank,
  BoxSize,
  Size,
  Stride,
  ElementStride,
  Type,
  Interleave,
  Swizzle,
  SwizzleAtomicity,
  Fill
};

/// A basic block: execution counts it, and its instructions by that.
struct BasicBlock {
  uint32_t first = 0, count = 0; ///< in Program::code, with its Block instr
};

struct SwitchTable {
  std::vector<uint64_t> values;
  std::vector<const Instr *> targets; ///< one a value, then the default
};

/// A register that has its value before the kernel starts, in all lanes.
struct Preset {
  uint32_t slot = 0;
  bool wide = false; ///< 64-bit lanes
  bool isArgument = false;
  bool byval = false;    ///< the address of a copy of the argument's bytes
  uint64_t value = 0;    ///< the constant
  uint32_t argument = 0; ///< which argument
  uint32_t offset = 0, bytes = 0; ///< the part of it
};

struct SharedVariable {
  std::string name;
  uint32_t offset = 0, bytes = 0;
  /// Zero when a block begins, by what launches it.
  bool isZeroed = false;
};
/// A stack slot of a thread.
struct LocalVariable {
  uint32_t offset = 0, bytes = 0;
  uint32_t location = 0;
};

struct Program {
  std::string kernel;
  std::vector<Instr> code;
  std::vector<uint32_t> pool;
  std::vector<Access> accesses;
  std::vector<Mma> mmas;
  std::vector<Wgmma> wgmmas;
  std::vector<Bulk> bulks;
  std::vector<BasicBlock> blocks;
  std::vector<SwitchTable> switches;
  std::vector<SourceLocation> locations; ///< 0 is the unknown one
  std::vector<std::string> texts;
  std::vector<Preset> presets;
  std::vector<SharedVariable> shared; ///< static ones
  std::vector<LocalVariable> locals;
  uint32_t staticSharedBytes = 0; ///< with the padding between variables
  uint32_t sharedAlignment = 16;  ///< of the dynamic part, after the static one
  uint32_t localBytes = 0;        ///< a thread
  uint32_t numSlots = 0;          ///< registers of a warp, 128 bytes each
  /// Smallest access to shared and to global memory: the granule of shadows.
  uint32_t sharedGranule = 4, globalGranule = 4;
  uint32_t numStoredGroups = 0; ///< of Access::storedGroup, with none
  bool usesHeap = false;        ///< malloc or free
  /// Registers a thread, and blocks of an SM, that the kernel asks for where it
  /// has setmaxnreg; 0: it does not say.
  uint32_t maxRegisters = 0, minBlocksOfSm = 0;
  bool usesFences = false; ///< fences or atomics: blocks may talk to each other
};

/// Barriers of all threads that are told apart, see Warp::passed.
constexpr unsigned kMaxBarrierSites = 32;

/// The class and the flops of each opcode.
struct OpcodeInfo {
  const char *name;
  InstrClass instrClass;
  uint8_t flops;
};
extern const OpcodeInfo kOpcodes[kNumOpcodes];
inline const OpcodeInfo &getInfo(Opcode opcode) {
  return kOpcodes[unsigned(opcode)];
}

/// Fills in the handlers for the best instruction set of this host.
void bindHandlers(Program &program);
/// Fills `table`, which has kNumOpcodes entries; for tests of single handlers.
void getHandlers(Handler *table);

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_PROGRAM_H
