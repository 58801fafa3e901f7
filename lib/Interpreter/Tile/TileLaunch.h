//===- TileLaunch.h - A grid of programs and its memory ---------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a kernel for each point of a grid, one program after the other, and
// keeps who accessed which element, so that what would depend on an order of
// programs that they do not have is an error.
//
// A pointer is the number of the argument it comes from, in the high bits, and
// its distance in bytes from the first element of that argument in the low
// ones, so tiles of pointers are arrays of integers, and no pointer can get
// from one argument's memory to another's.
//
// As an address, memory is at 2^44 times the number, counted from 1, of the
// first argument that is in it. A pointer that is made of an integer is that
// integer with a bit turned that no other pointer has: it may be to any
// argument, whose memory is looked for when it is used.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_INTERPRETER_TILE_TILELAUNCH_H
#define TILEIR_LIB_INTERPRETER_TILE_TILELAUNCH_H

#include "Core/Evaluator.h"
#include "Tile/ProgramOrder.h"

#include <array>
#include <map>
#include <vector>

namespace tileir::interp {

/// A size or a place of the grid: x, y, z.
using GridPoint = std::array<int64_t, 3>;

/// The state that the programs of a launch share.
class Launch {
public:
  Launch(mlir::func::FuncOp kernel, const GridPoint &grid)
      : kernel(kernel), grid(grid) {}

  /// Runs all programs. `arguments` are values of the kernel's argument types,
  /// with arrays for pointers. Errors that no program makes are at `caller`.
  mlir::LogicalResult run(Evaluator &evaluator, mlir::Operation *caller,
                          mlir::MutableArrayRef<RuntimeValue> arguments);

  const GridPoint &getGrid() const { return grid; }
  const GridPoint &getProgram() const { return program; }

  //===--------------------------------------------------------------------===//
  // Pointers
  //===--------------------------------------------------------------------===//

  /// The first element of an argument.
  static int64_t getPointer(unsigned argument);

  /// `pointer` moved by so many elements, or nothing if that is too far away
  /// for it to be told from which argument it comes.
  static std::optional<int64_t> advance(int64_t pointer, int64_t count,
                                        int64_t elementSize);

  /// An element of an argument.
  struct Place {
    const Array *array;
    int64_t position;
  };
  /// The place of an element of `kind` that `pointer` points at, until the next
  /// one is looked for; an error about `element` if it is not in the memory
  /// that the pointer comes from.
  mlir::FailureOr<Place> getPlace(mlir::Operation *op, int64_t pointer,
                                  runtime::ElementKind kind,
                                  TileElement element);

  /// `pointer` as an address; an error about `element` if it has none.
  mlir::FailureOr<int64_t> getAddress(mlir::Operation *op, int64_t pointer,
                                      TileElement element) const;
  /// The reverse; nothing if no memory could ever be there.
  static std::optional<int64_t> getPointerTo(int64_t address);
  /// The distance of an address from one that is as aligned as memory is.
  static int64_t getByte(int64_t address);

  //===--------------------------------------------------------------------===//
  // Accesses
  //===--------------------------------------------------------------------===//

  /// From now on accesses are those of another op, within which no element may
  /// be written twice.
  void beginOp() { ++opNumber; }

  /// Notes that the program accesses an element, if it may: reads need that the
  /// element has been written, and nothing may depend on the order of programs.
  /// Errors are about `element` of a tile.
  mlir::LogicalResult access(mlir::Operation *op, const Array &array,
                             int64_t position, Access access,
                             TileElement element = {});

  /// The releases and acquires of programs.
  ProgramOrder order;

  /// Adds to the length of the sums that the executions of `op` in this program
  /// form one after the other, and gives it.
  int64_t addToSum(mlir::Operation *op, int64_t length) {
    return sumLengths[op] += length;
  }

  /// Notes a copy that the programs of a cluster, so many along x, share: all
  /// make the same ones in the same order.
  mlir::LogicalResult noteMulticast(mlir::Operation *op, int64_t cluster,
                                    llvm::ArrayRef<int64_t> indices);

private:
  /// A copy of a program for its cluster.
  struct Multicast {
    mlir::Operation *op;
    llvm::SmallVector<int64_t> indices;
  };

  /// Accesses to a unit of memory that do not come before others that are kept.
  struct Record {
    /// For each kind, a write being of any but the other two, the last two
    /// segments, which are of two programs.
    ProgramOrder::Segment segments[3][2];
    uint32_t writtenBy; // the number of the op that wrote it last
    uint32_t more;      // its place in moreSegments, counted from 1; 0 is none
  };
  using MoreSegments =
      std::array<llvm::SmallVector<ProgramOrder::Segment, 0>, 3>;
  /// The records of a storage, which has one for each `unitSize` bytes.
  struct Log {
    std::shared_ptr<Storage> storage; // lives as long as the records
    int64_t unitSize = 0;
    /// Zeros where nothing was noted, which the system need not provide.
    std::shared_ptr<Storage> bytes;
    Record *getRecords() const {
      return reinterpret_cast<Record *>(bytes->getData());
    }
  };

  /// By cluster, those of the program that ran first; and how many the one that
  /// runs has made.
  std::map<GridPoint, std::vector<Multicast>> multicasts;
  size_t numMulticasts = 0;

  mlir::LogicalResult checkAlignment(mlir::Operation *caller, unsigned number,
                                     const RuntimeValue &argument);
  mlir::LogicalResult checkSizes(mlir::Operation *caller, unsigned number,
                                 const RuntimeValue &argument);
  mlir::LogicalResult checkNoAlias(mlir::Operation *caller, unsigned number);
  mlir::FailureOr<int64_t> getNumPrograms(mlir::Operation *caller) const;

  mlir::FailureOr<unsigned> getArgument(mlir::Operation *op, int64_t pointer,
                                        TileElement element) const;
  mlir::FailureOr<Place> getPlaceAt(mlir::Operation *op, int64_t address,
                                    runtime::ElementKind kind,
                                    TileElement element);
  mlir::FailureOr<Place> viewAs(mlir::Operation *op, const Array &array,
                                int64_t byte, runtime::ElementKind kind,
                                TileElement element);

  mlir::FailureOr<Log *> getLog(mlir::Operation *op, const Array &array,
                                int64_t byte);
  mlir::LogicalResult checkOrder(mlir::Operation *op, Record &record,
                                 const Array &array, int64_t position,
                                 Access access, TileElement element);
  void noteSegment(Record &record, unsigned kind);
  GridPoint getProgram(int64_t number) const;
  std::string describe(const Array &array, int64_t position) const;

  mlir::func::FuncOp kernel;
  GridPoint grid, program = {};
  uint32_t opNumber = 0;
  /// The memory of each argument; none for scalars.
  mlir::SmallVector<std::optional<Array>> memory;
  mlir::SmallVector<unsigned> readOnly; // arguments
  Array view; // an element of another kind than its argument has
  llvm::DenseMap<Storage *, Log> logs;
  /// Without acquires two segments of two programs tell all: one of them is in
  /// conflict with any program. Else these are the others.
  bool hasAcquires = false;
  std::vector<MoreSegments> moreSegments;
  llvm::DenseMap<mlir::Operation *, int64_t> sumLengths;
};

/// The launch whose program runs now; an error if `op` is run by host code.
mlir::FailureOr<Launch *> getLaunch(Evaluator &evaluator, mlir::Operation *op);

/// "(1, 0, 2)"
std::string toString(const GridPoint &point);

/// Allocations are aligned to so many bytes, as far as programs may rely on it.
inline constexpr int64_t kAllocationAlignment = 256;

/// Whether an address so many bytes into an allocation is a multiple of
/// `divisor` wherever the allocation is.
inline bool isAligned(int64_t byte, int64_t divisor) {
  return kAllocationAlignment % divisor == 0 && byte % divisor == 0;
}

} // namespace tileir::interp

#endif // TILEIR_LIB_INTERPRETER_TILE_TILELAUNCH_H
