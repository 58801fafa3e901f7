//===- SimulatorFloatTest.h -------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tests of floating-point instructions share: the types, as llvm::APFloat
// has them, and numbers of each that are worth a test.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TEST_UNIT_SIMULATOR_SIMULATORFLOATTEST_H
#define TILEIR_TEST_UNIT_SIMULATOR_SIMULATORFLOATTEST_H

#include "SimulatorExecTest.h"

#include "llvm/ADT/APFloat.h"

namespace tileir::sim {

using llvm::APFloat;
using llvm::APInt;
using llvm::RoundingMode;
constexpr RoundingMode nearest = RoundingMode::NearestTiesToEven;

/// A floating-point type, the width of its register, and where it stands among
/// the opcodes of an operation.
struct FloatType {
  const llvm::fltSemantics *semantics;
  unsigned width, index;

  unsigned bits() const { return APFloat::getSizeInBits(*semantics); }
  APFloat get(uint64_t value) const {
    return APFloat(*semantics, APInt(64, value).trunc(bits()));
  }
  static uint64_t bitsOf(const APFloat &x) {
    return x.bitcastToAPInt().getZExtValue();
  }
  /// NaNs are equal: which NaN is not specified.
  Equal equal() const {
    return [*this](uint64_t expected, uint64_t found) {
      if (bits() < 64 && found >> bits())
        return false;
      return expected == found || (get(expected).isNaN() && get(found).isNaN());
    };
  }
};
inline const FloatType f16{&APFloat::IEEEhalf(), 32, 0};
inline const FloatType bf16{&APFloat::BFloat(), 32, 1};
inline const FloatType f32{&APFloat::IEEEsingle(), 32, 2};
inline const FloatType f64{&APFloat::IEEEdouble(), 64, 3};

class FloatTest : public ExecTest {
protected:
  static APFloat convert(APFloat x, const FloatType &to,
                         RoundingMode mode = nearest) {
    bool losesInfo;
    x.convert(*to.semantics, mode, &losesInfo);
    return x;
  }
  static uint64_t fromDouble(const FloatType &type, double x) {
    return FloatType::bitsOf(convert(APFloat(x), type));
  }

  std::vector<uint64_t> specials(const FloatType &type) {
    const llvm::fltSemantics &s = *type.semantics;
    std::vector<APFloat> values = {
        APFloat::getZero(s),     APFloat::getInf(s),
        APFloat::getQNaN(s),     APFloat::getSNaN(s),
        APFloat::getSmallest(s), APFloat::getSmallestNormalized(s),
        APFloat::getLargest(s)};
    APFloat subnormal = APFloat::getSmallestNormalized(s);
    subnormal.next(/*nextDown=*/true);
    values.push_back(subnormal);
    for (double x : {0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 7.0, 1000.5, 1e-3, 0.1,
                     0.49999999999999994, 0.99, 1e-20, 1e20})
      values.push_back(convert(APFloat(x), type));
    std::vector<uint64_t> bits;
    for (APFloat &value : values)
      for (unsigned i = 0; i < 2; ++i) {
        bits.push_back(FloatType::bitsOf(value));
        value.changeSign();
      }
    return bits;
  }
  /// Combinations of special values, any bits, and numbers of about the same
  /// size, whose sums round and cancel.
  std::vector<Inputs> makeInputs(const FloatType &type, unsigned operands) {
    std::vector<Inputs> inputs = combine(specials(type), operands, 2000);
    uint64_t one = fromDouble(type, 1);
    unsigned fraction = APFloat::semanticsPrecision(*type.semantics) - 1;
    for (unsigned i = 0; i < 4000; ++i) {
      Inputs in;
      for (uint64_t &x : in)
        x = (one + ((random() % 13 - 6) << fraction) +
             random() % (uint64_t(1) << fraction)) |
            random() % 2 << (type.bits() - 1);
      // Addends of all sizes, for products next to the middle of two numbers.
      if (i % 2)
        in[2] = (in[2] & ~(uint64_t(63) << fraction)) |
                ((random() % 12 + 1) << fraction);
      inputs.push_back(in);
    }
    uint64_t mask =
        type.bits() == 64 ? ~uint64_t(0) : (uint64_t(1) << type.bits()) - 1;
    for (Inputs &in : inputs)
      in = {in[0] & mask, in[1] & mask, in[2] & mask};
    return inputs;
  }
};

} // namespace tileir::sim

#endif // TILEIR_TEST_UNIT_SIMULATOR_SIMULATORFLOATTEST_H
