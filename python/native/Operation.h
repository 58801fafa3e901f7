//===- Operation.h - Compiled operations for Python -------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operation of the C interface, with what a call needs besides: the arrays
// that it fits, and the array that it gives.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_PYTHON_OPERATION_H
#define TILEIR_PYTHON_OPERATION_H

#include "Arrays.h"

#include <memory>

namespace tileir::python {

/// Why a call did not run or an operation could not be created. Python mends
/// it, or raises it.
struct Failure {
  enum Kind {
    Unreadable, // array `index` has to be converted or copied
    Unknown,    // nothing is compiled for these arrays
    Unfit,      // the operation is compiled for others
    Overlap,    // `out` may overlap array `index`
    Error       // as `error` and `message` say
  };
  Kind kind;
  size_t index = 0;
  TileirErrorDetails error = {};
  std::string message = {};
};

/// The arrays of a call: inputs, and the output or nothing.
class Arguments {
public:
  Arguments() = default;
  Arguments(const Arguments &) = delete;
  Arguments &operator=(const Arguments &) = delete;

  /// Reads them, and says which cannot be taken as they are; the output counts
  /// as the last one.
  bool read(nb::handle inputs, nb::handle out, size_t &unreadable);

  /// Appends all inputs, or the output if there is one, to a key.
  void addInputsTo(std::string &key) const;
  void addOutputTo(std::string &key) const;

  /// The first input that the output may overlap.
  bool findOverlap(size_t &index) const;

  size_t getNumInputs() const { return numInputs; }
  const Array &getInput(size_t index) const { return arrays[index]; }
  bool hasOutput() const { return hasOut; }
  const Array &getOutput() const { return arrays[numInputs]; }

private:
  /// Most calls have few arrays, and time for no allocation.
  std::array<Array, 5> few;
  std::unique_ptr<Array[]> many;
  Array *arrays = few.data();
  size_t numInputs = 0;
  bool hasOut = false;
};

class Operation {
public:
  Operation() = default;
  Operation(const Operation &) = delete;
  Operation &operator=(const Operation &) = delete;
  ~Operation() {
    if (handle)
      tileirDestroyOperation(handle);
  }

  /// Runs it on arrays that it fits. Returns the array of the result, or a
  /// Failure. `out` is the object of the output, or None.
  nb::object run(const Arguments &arguments, nb::object out,
                 bool mayOverlap) const;

  TileirOperation *handle = nullptr;
  /// The keys of the inputs and of the output that it fits, for calls of the
  /// operation itself.
  std::string signature, outputSignature;
  /// Whether it writes an array that is not row-major, which has to be given.
  bool needsOutput = false;
  /// The result: its shape, what makes an array for it, and the type of the
  /// array to return if integers stand for it, or None.
  nb::object shape, factory, viewType;
  /// Whether a result without axes is returned as a number.
  bool givesNumber = true;
  /// Whether tables are verified before it runs.
  bool checksTables = false;
};

} // namespace tileir::python

#endif // TILEIR_PYTHON_OPERATION_H
