//===- ProgramOrder.h - What comes before the current program ---*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs have no order but by releases and acquires (`MemoryOrder` of the
// tile dialect). A release ends a segment of its program: what the segments so
// far have done comes before what a program does that acquires it. So the order
// is a set of segments, those that come before the current program, and each
// place that was released has one: what it hands to who acquires it.
//
// Programs run one after the other, so segments that come before have happened.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_INTERPRETER_TILE_PROGRAMORDER_H
#define TILEIR_LIB_INTERPRETER_TILE_PROGRAMORDER_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <vector>

namespace tileir::interp {

class ProgramOrder {
public:
  /// A part of a program, counted from 1; 0 is none.
  using Segment = uint32_t;
  /// The memory that a place is in, and its byte.
  using Place = std::pair<const void *, int64_t>;

  /// The program `number` runs now, which has not run before.
  void beginProgram(uint32_t number);

  Segment getSegment() const { return programs.size(); }
  uint32_t getProgram(Segment segment) const { return programs[segment - 1]; }
  bool isOwn(Segment segment) const { return segment >= first; }
  /// Whether `segment` is of the current program, or comes before it.
  bool isBefore(Segment segment) const {
    return isOwn(segment) || (segment < before.size() && before.test(segment));
  }

  /// The current program does these to a place as parts of one op, whose
  /// releases hand on what came before the op.
  void acquire(Place place);
  void release(Place place);
  void endOp();

private:
  using Segments = std::shared_ptr<const llvm::BitVector>;

  std::vector<uint32_t> programs; // of each segment
  Segment first = 0;              // of the current program
  llvm::BitVector before;         // segments of other programs
  llvm::DenseMap<Place, Segments> released;

  // Of the current op: what it acquires, what it releases, and the last set
  // that this was added to, with the result: most places have the same.
  llvm::BitVector acquired;
  Segments own, addedTo, sum;
};

} // namespace tileir::interp

#endif // TILEIR_LIB_INTERPRETER_TILE_PROGRAMORDER_H
