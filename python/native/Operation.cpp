//===- Operation.cpp - Compiled operations for Python ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Running one. The interpreter's lock is released meanwhile.
//
//===----------------------------------------------------------------------===//

#include "Operation.h"

using namespace tileir::python;

bool Arguments::read(nb::handle inputs, nb::handle out, size_t &unreadable) {
  numInputs = PyTuple_GET_SIZE(inputs.ptr());
  if (numInputs + 1 > few.size()) {
    many = std::make_unique<Array[]>(numInputs + 1);
    arrays = many.get();
  }
  for (size_t i = 0; i < numInputs; ++i)
    if (!arrays[i].read(PyTuple_GET_ITEM(inputs.ptr(), i))) {
      unreadable = i;
      return false;
    }
  hasOut = !out.is_none();
  if (hasOut && !arrays[numInputs].read(out, /*isOutput=*/true)) {
    unreadable = numInputs;
    return false;
  }
  return true;
}

void Arguments::addInputsTo(std::string &key) const {
  for (size_t i = 0; i < numInputs; ++i)
    arrays[i].addTo(key);
}

void Arguments::addOutputTo(std::string &key) const {
  if (hasOut)
    getOutput().addTo(key);
}

bool Arguments::findOverlap(size_t &index) const {
  if (hasOut)
    for (index = 0; index < numInputs; ++index)
      if (getOutput().mayOverlap(arrays[index]))
        return true;
  return false;
}

nb::object Operation::run(const Arguments &arguments, nb::object out,
                          bool mayOverlap) const {
  size_t overlap;
  if (!mayOverlap && arguments.findOverlap(overlap))
    return nb::cast(Failure{Failure::Overlap, overlap});
  const void *inputs[kMaxArrays];
  for (size_t i = 0; i < arguments.getNumInputs(); ++i)
    inputs[i] = arguments.getInput(i).getData();

  nb::object result = out;
  Array made;
  void *output;
  if (arguments.hasOutput()) {
    output = arguments.getOutput().getData();
  } else {
    result = factory();
    // Only its memory matters; integers may stand for its type.
    if (!made.read(result, /*isOutput=*/true, TILEIR_F32))
      throw nb::type_error("the result has no memory that can be written");
    output = made.getData();
  }

  char *message = nullptr;
  bool succeeded = true;
  {
    nb::gil_scoped_release release;
    if (checksTables)
      succeeded = tileirRunChecked(handle, inputs, output, &message);
    else
      tileirRun(handle, inputs, output);
  }
  if (!succeeded) {
    Failure failure{Failure::Error, 0, tileirGetLastError(), message};
    tileirFreeMessage(message);
    return nb::cast(std::move(failure));
  }
  if (arguments.hasOutput())
    return result;
  if (!viewType.is_none())
    result = result.attr("view")(viewType);
  // As NumPy does, a number for a result without axes.
  if (givesNumber && made.getRank() == 0)
    result = result[nb::make_tuple()];
  return result;
}
