//===- UndefinedValues.h ----------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values that were loaded from memory which nobody has written, and results of
// integer divisions by zero, which PTX leaves open. Such a load or division is
// reported only if its value matters: if it decides a branch, is an address or
// an operand of anything but arithmetic, or is stored to global memory. Until
// then its value is marked, and marks go where values go: through arithmetic,
// selects, shuffles and products, and through shared and local memory.
//
// A warp is tracked from its first such load to the end of the block; until
// then nothing of this costs anything. A mark names the lane of a load; there
// is one for each lane of each register, found by the register's first slot.
// All that is said of loads here is true of divisions.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_EXEC_UNDEFINEDVALUES_H
#define TILEIR_LIB_SIMULATOR_EXEC_UNDEFINEDVALUES_H

#include "Exec/Warp.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

#include <vector>

namespace tileir::sim {

/// The lane of a load or division that a value comes from: 0 if it is defined.
using Mark = uint32_t;

class UndefinedValues {
public:
  explicit UndefinedValues(Block &block) : block(block) {}

  /// Whether loads by this instruction are reported when their values matter,
  /// rather than at once.
  static bool isDeferred(const Instr &instr) {
    return instr.opcode == Opcode::Load || instr.opcode == Opcode::LdMatrix;
  }

  /// Called while a load is checked: the bytes [first, first + count) that
  /// `lane` reads were written by nobody. `address` is where the lane reads,
  /// `buffer` that of global memory, null: shared memory.
  void noteLoad(Warp &warp, const Instr *instr, uint32_t lane, uint64_t address,
                uint32_t first, uint32_t count, const Buffer *buffer);
  /// The same of bytes that hold what has a mark.
  void noteMarked(Warp &warp, const Instr *instr, uint32_t lane, uint32_t first,
                  uint32_t count, Mark mark);

  /// Called while lanes divide by zero.
  void noteDivision(Warp &warp, const Instr *instr, uint32_t lanes);

  /// Runs a warp, which is tracked from now on, from `instr` until it waits.
  /// The last instruction that it executed.
  const Instr *run(Warp &warp, const Instr *instr);
  /// The first load of undefined bytes by a warp has been executed.
  void beginTracking(Warp &warp, const Instr *source);
  /// Before the block runs again.
  void reset();

private:
  /// Where a lane has read. The buffer may be gone when that is told.
  struct Place {
    uint64_t address = 0, begin = 0; ///< begin: of the buffer
    llvm::StringRef buffer;          ///< its name
  };
  /// A load or division by a warp, and where each lane has read the last time.
  struct Source {
    const Instr *instr = nullptr;
    Warp *warp = nullptr;
    Place places[kLanes];
    bool isGlobal = false, isReported = false;
  };
  /// The marks of a warp.
  struct Tracked {
    std::vector<Mark> registers; ///< of the lanes of each slot
    std::vector<bool> isMarked;  ///< slots; false: no lane of it
    std::vector<Mark> local; ///< of each byte of lane 0, then of lane 1, ...
  };

  const Instr *step(Warp &warp, const Instr *instr);
  const Instr *stepCollective(Warp &warp, const Instr *instr);
  void stepMma(Warp &warp, const Instr *instr);
  void stepWgmma(Warp &warp, const Instr *instr);
  void noteLocal(Warp &warp, const Instr *instr);
  void stepDivision(Warp &warp, const Instr *instr);
  void stepLoad(Warp &warp, const Instr *instr);
  void stepStore(Warp &warp, const Instr *instr);
  void stepLdMatrix(Warp &warp, const Instr *instr);
  void stepStMatrix(Warp &warp, const Instr *instr);

  /// The registers that an instruction reads beyond a, b and c; those that it
  /// writes beyond dst.
  const uint32_t *getDefs(const Instr &instr) const {
    return block.launch->program->pool.data() + instr.list;
  }
  const uint32_t *getUses(const Instr &instr) const {
    return getDefs(instr) + instr.numDefs;
  }
  Tracked &get(const Warp &warp) { return tracked[warp.index]; }
  Mark getMark(const Warp &warp, uint32_t slot, uint32_t lane) {
    return slot == kNoRegister || !get(warp).isMarked[slot]
               ? 0
               : get(warp).registers[slot * kLanes + lane];
  }
  bool hasMarks(const Warp &warp, const Instr &instr);
  /// The number, less 1, of the source that a warp's instruction is.
  uint32_t makeSource(Warp &warp, const Instr *instr);
  /// Gives the lanes of a register their marks.
  void setMarks(Warp &warp, uint32_t slot, uint32_t lanes, const Mark *marks);
  /// A mark that `lane` has in any register that the instruction reads.
  Mark getAnyMark(const Warp &warp, const Instr &instr, uint32_t lane);

  /// Reports that the value of a load matters; `how` the instruction uses it.
  void reportUse(Mark mark, const Instr *instr, const char *how);
  /// The same for the marks that active lanes have in a register.
  void reportUses(const Warp &warp, uint32_t slot, const Instr *instr,
                  const char *how);
  void reportOperands(const Warp &warp, const Instr *instr);

  Block &block;
  std::vector<Source> sources;
  llvm::StringSet<> bufferNames;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> sourceOf;
  Tracked tracked[kMaxWarps];
  /// The marks of the bytes that the load reads which is executed now.
  Mark loaded[kLanes][32] = {};
};

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_EXEC_UNDEFINEDVALUES_H
