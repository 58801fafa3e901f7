//===- LiftArithmetic.h -----------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions that integers and floats share, as far as integers go
// (LiftInteger.cpp); LiftFloat.cpp chooses by the type.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_PTX_LIFTARITHMETIC_H
#define TILEIR_LIB_SIMULATOR_PTX_LIFTARITHMETIC_H

#include "PTX/Lifter.h"

namespace tileir::sim::ptx {

bool liftIntegerSum(Lifter &l, Modifiers &m, Operands o, ValueType type,
                    bool subtracts);
bool liftIntegerProduct(Lifter &l, Modifiers &m, Operands o, ValueType type);
bool liftIntegerMultiplyAdd(Lifter &l, Modifiers &m, Operands o,
                            ValueType type);
bool liftIntegerQuotient(Lifter &l, Operands o, ValueType type);
bool liftIntegerMinMax(Lifter &l, Modifiers &m, Operands o, ValueType type,
                       bool isMin);
/// {add,sub,mad}.cc
bool liftWithCarry(Lifter &l, Modifiers &m, Operands o, llvm::StringRef name);

} // namespace tileir::sim::ptx

#endif // TILEIR_LIB_SIMULATOR_PTX_LIFTARITHMETIC_H
