//===- Decoder.h ------------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decodes a kernel in NVPTX LLVM IR, all of whose calls are inlined, to a
// Program. Each scalar of an LLVM value becomes a virtual register: i1 to i32,
// half, bfloat and float a 32-bit one; i33 to i64, double and pointers of every
// address space a 64-bit one. Integers of other widths are zero-extended.
// Vectors, structs and arrays are lists of scalars in order; extract, insert
// and shuffle are renames. At the end, virtual registers become slots by linear
// scan (Registers.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_DECODE_DECODER_H
#define TILEIR_LIB_SIMULATOR_DECODE_DECODER_H

#include "Program.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tileir::sim {

/// Virtual registers during decoding; slots afterwards.
using Register = uint32_t;

/// The address base + offset; base is a 64-bit register.
struct Address {
  Register base = kNoRegister;
  int64_t offset = 0;
};

class Decoder {
public:
  /// `globals`: addresses of the module's global variables in device memory
  /// (constant and global address spaces). Shared ones are laid out here.
  Decoder(llvm::Function &kernel, const llvm::StringMap<uint64_t> &globals,
          Program &program);
  /// Decodes the whole kernel. An error names what cannot be simulated, with
  /// its source location.
  llvm::Error run();

  // Functions that decode single instructions and intrinsics use.

  /// The scalars of a value, constants too.
  llvm::SmallVector<Register> use(const llvm::Value *value);
  /// The only scalar of a value.
  Register useScalar(const llvm::Value *value);
  /// New registers for the scalars of an instruction's result.
  llvm::SmallVector<Register> define(const llvm::Instruction &instruction);
  Register defineScalar(const llvm::Instruction &instruction);
  /// Makes existing registers the scalars of an instruction: a rename.
  void rename(const llvm::Instruction &instruction,
              llvm::ArrayRef<Register> registers);
  /// A register of no LLVM value.
  Register makeTemporary(bool wide);
  /// A register that holds a constant in all lanes.
  Register getConstant(uint64_t value, bool wide);
  bool isWide(Register r) const { return wide[r]; }
  static bool isWide(const llvm::Type *scalarType);
  /// The scalar types that a type flattens to; integers of more than 64 bits to
  /// parts of 64 bits and a rest.
  static llvm::SmallVector<llvm::Type *> flatten(llvm::Type *type);

  Instr &emit(Opcode opcode, Register dst = kNoRegister,
              Register a = kNoRegister, Register b = kNoRegister,
              Register c = kNoRegister, int64_t imm = 0);
  /// Says that the machine executes what was emitted from `first` on as parts
  /// of the instruction before.
  void markParts(size_t first) {
    for (size_t i = first; i < program.code.size(); ++i)
      program.code[i].isPart = true;
  }
  /// Emits an instruction with lists of results and operands.
  Instr &emitList(Opcode opcode, llvm::ArrayRef<Register> defs,
                  llvm::ArrayRef<Register> uses);
  /// An access of memory; the instruction's `extra` is set. `pointer` gives
  /// address and constant offset. `defs` and `uses` go to the lists; dst, b and
  /// c are the caller's.
  Instr &emitAccess(const Access &access, const llvm::Value *pointer,
                    llvm::ArrayRef<Register> defs,
                    llvm::ArrayRef<Register> uses) {
    return emitAccess(access, getAddress(pointer), defs, uses);
  }
  Instr &emitAccess(const Access &access, Address address,
                    llvm::ArrayRef<Register> defs,
                    llvm::ArrayRef<Register> uses);
  /// The address that a pointer holds, with constant offsets apart.
  Address getAddress(const llvm::Value *pointer);
  /// Makes `address` the value of an instruction. Its offset is added only
  /// where the value is used for more than accesses.
  void setAddress(const llvm::Instruction &instruction, Address address);
  /// An address as one register.
  Register addOffset(Address address);
  /// Cuts bits that lie side by side in registers, low bits first, into
  /// registers of other widths: what a bitcast does. `fromBits` and `toBits`
  /// are the widths; what is missing at the end is 0.
  llvm::SmallVector<Register> regroup(llvm::ArrayRef<Register> registers,
                                      llvm::ArrayRef<unsigned> fromBits,
                                      llvm::ArrayRef<unsigned> toBits);
  /// The bytes of a variable of each thread, in local memory.
  Address makeLocal(uint64_t bytes, llvm::Align alignment);
  const llvm::DataLayout &getLayout() const { return layout; }
  /// The space that a pointer's type says.
  static Space getSpace(const llvm::Value *pointer);

  /// "file:1:2: cannot simulate <what>: <instruction>".
  llvm::Error unsupported(const llvm::Instruction &instruction,
                          const llvm::Twine &what);
  /// "file:1:2: <message>".
  llvm::Error makeError(const llvm::Instruction &instruction,
                        const llvm::Twine &message);
  /// For where no error can be returned: decoding ends after this instruction.
  void fail(const llvm::Twine &message);

  Program &program;
  /// Whether arithmetic on f32 that does not say it makes zeros of subnormal
  /// numbers: the attribute denormal-fp-math-f32, as NVPTX reads it.
  const bool flushesF32;

private:
  // Decoder.cpp
  llvm::Error decode(llvm::Instruction &instruction);
  llvm::Error decodeOperation(llvm::Instruction &instruction);
  llvm::Error checkTypes(const llvm::Instruction &instruction);
  bool isSimulated(llvm::Type *type);
  uint32_t getLocation(const llvm::DebugLoc &debugLoc);
  /// For an access without a line, as LLVM leaves those that it merges: that of
  /// the call it was inlined by, or of the nearest instruction of its block.
  uint32_t getNearestLocation(const llvm::Instruction &instruction);
  void finish();
  // DecodeValues.cpp
  void layOutShared();
  void addConstant(const llvm::Constant *constant,
                   llvm::SmallVectorImpl<Register> &registers);
  uint64_t evaluate(const llvm::Constant *constant);
  void addArgument(const llvm::Argument &argument,
                   llvm::SmallVectorImpl<Register> &registers);
  // DecodeControl.cpp
  void renamePhi(const llvm::PHINode &phi);
  void beginBlock();
  void decodeTerminator(llvm::Instruction &instruction);
  void decodeSwitch(llvm::SwitchInst &instruction);
  void link(const llvm::BasicBlock *from,
            llvm::ArrayRef<const llvm::BasicBlock *> targets);
  void copyPhis(const llvm::BasicBlock *from, const llvm::BasicBlock *to);
  void patchTargets();

  /// Target `slot` of the instruction at `instr` is `block`; without one, the
  /// instruction at `index`.
  struct Fixup {
    uint32_t instr, slot;
    const llvm::BasicBlock *block;
    uint32_t index;
  };

  llvm::Function &kernel;
  const llvm::StringMap<uint64_t> &globals;
  const llvm::DataLayout &layout;
  std::vector<bool> wide; // of each virtual register
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<Register>> values;
  /// The addresses of pointers that are not in `values`, each with its value as
  /// one register if the present block has needed it already.
  llvm::DenseMap<const llvm::Value *, Address> addresses;
  llvm::DenseMap<const llvm::Value *, Register> sums;
  llvm::DenseMap<std::pair<uint64_t, unsigned>, Register> constants;
  llvm::DenseMap<const llvm::GlobalVariable *, uint64_t> shared;
  llvm::DenseMap<llvm::Type *, bool> simulated;
  llvm::DenseMap<const llvm::DILocation *, uint32_t> locations;
  uint32_t location = 0; // of the present instruction
  std::string failure;   // the first one of the present instruction
  llvm::DenseMap<const llvm::BasicBlock *, uint32_t> firsts; // in code
  std::vector<Fixup> fixups;
};

/// Decodes a call of an intrinsic (llvm.*, llvm.nvvm.*), of a libdevice
/// function (__nv_*), or inline assembly. False: it is none that is known.
/// (DecodeIntrinsics.cpp, DecodeMma.cpp, DecodeMath.cpp)
llvm::Expected<bool> decodeCall(Decoder &decoder, llvm::CallBase &call);

/// Turns the virtual registers of a program into slots (Registers.cpp). `wide`
/// says which are 64-bit; presets keep slots of their own, those that nothing
/// uses are dropped.
void allocateRegisters(Program &program, const std::vector<bool> &wide);
/// Drops copies of a slot to itself, blocks that do nothing, and jumps to the
/// next instruction (CompactCode.cpp).
void compact(Program &program);

/// Marks the blocks that are behind barriers of all threads, for those who go
/// round a barrier (SkippedBarriers.cpp).
void markBehindBarriers(Program &program);

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_DECODE_DECODER_H
