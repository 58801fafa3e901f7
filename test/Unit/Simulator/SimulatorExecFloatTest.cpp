//===- SimulatorExecFloatTest.cpp -----------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Floating-point arithmetic against llvm::APFloat, functions against those of
// the C library in a wider type.
//
//===----------------------------------------------------------------------===//

#include "SimulatorFloatTest.h"

#include <cmath>

using namespace tileir::sim;

namespace {

class ArithmeticTest : public FloatTest {
protected:
  using FloatOracle =
      std::function<APFloat(const APFloat &, const APFloat &, const APFloat &)>;
  /// The four opcodes of an operation, from that of F16 on.
  void checkFloat(Opcode first, unsigned operands, const FloatOracle &oracle) {
    for (const FloatType &type : {f16, bf16, f32, f64})
      check(
          make(Opcode(unsigned(first) + type.index)),
          shapeOf(type.width, operands), makeInputs(type, operands),
          [&](uint64_t a, uint64_t b, uint64_t c) {
            return FloatType::bitsOf(
                oracle(type.get(a), type.get(b), type.get(c)));
          },
          type.equal());
  }
  /// The same for results that are 0 or 1.
  void checkComparison(
      Opcode first,
      std::function<bool(const APFloat &, const APFloat &)> oracle) {
    for (const FloatType &type : {f16, bf16, f32, f64}) {
      Shape shape = shapeOf(type.width, 2);
      shape.dst = 32;
      check(make(Opcode(unsigned(first) + type.index)), shape,
            makeInputs(type, 2), [&](uint64_t a, uint64_t b, uint64_t) {
              return oracle(type.get(a), type.get(b));
            });
    }
  }
};

#define CHECK_FLOAT(NAME, OPERANDS, ...)                                       \
  checkFloat(Opcode::NAME##F16, OPERANDS,                                      \
             [](const APFloat &a, const APFloat &b, const APFloat &c) {        \
               APFloat r = a;                                                  \
               __VA_ARGS__;                                                    \
               return r;                                                       \
             })

TEST_P(ArithmeticTest, Arithmetic) {
  CHECK_FLOAT(FAdd, 2, r.add(b, nearest));
  CHECK_FLOAT(FSub, 2, r.subtract(b, nearest));
  CHECK_FLOAT(FMul, 2, r.multiply(b, nearest));
  CHECK_FLOAT(FDiv, 2, r.divide(b, nearest));
  CHECK_FLOAT(FRem, 2, r.mod(b));
  CHECK_FLOAT(FFma, 3, r.fusedMultiplyAdd(b, c, nearest));
}

TEST_P(ArithmeticTest, NansHaveNoPayload) {
  for (const FloatType &type : {f16, bf16, f32})
    for (auto [first, operands] : {std::pair(Opcode::FAddF16, 2u),
                                   {Opcode::FSubF16, 2u},
                                   {Opcode::FMulF16, 2u},
                                   {Opcode::FDivF16, 2u},
                                   {Opcode::FFmaF16, 3u},
                                   {Opcode::FMinNumF16, 2u},
                                   {Opcode::FMaxNumF16, 2u},
                                   {Opcode::FMinimumF16, 2u},
                                   {Opcode::FMaximumF16, 2u},
                                   {Opcode::FSqrtF16, 1u}}) {
      const uint64_t nan = (uint64_t(1) << (type.bits() - 1)) - 1;
      // Any number but a NaN will do: other tests say which it is.
      check(
          make(Opcode(unsigned(first) + type.index)),
          shapeOf(type.width, operands), makeInputs(type, operands),
          [&](uint64_t, uint64_t, uint64_t) { return nan; },
          [&](uint64_t expected, uint64_t found) {
            return found == expected || !type.get(found).isNaN();
          });
    }
}

TEST_P(ArithmeticTest, Signs) {
  // Bits, of NaNs too.
  for (const FloatType &type : {f16, bf16, f32, f64}) {
    uint64_t sign = uint64_t(1) << (type.bits() - 1);
    auto test = [&](Opcode first, unsigned operands, Oracle oracle) {
      check(make(Opcode(unsigned(first) + type.index)),
            shapeOf(type.width, operands), makeInputs(type, operands), oracle);
    };
    test(Opcode::FNegF16, 1,
         [&](uint64_t a, uint64_t, uint64_t) { return a ^ sign; });
    test(Opcode::FAbsF16, 1,
         [&](uint64_t a, uint64_t, uint64_t) { return a & ~sign; });
    test(Opcode::FCopySignF16, 2, [&](uint64_t a, uint64_t b, uint64_t) {
      return (a & ~sign) | (b & sign);
    });
  }
}

/// Of numbers; -0 is smaller than +0.
bool isLess(const APFloat &a, const APFloat &b) {
  return a < b || (a.isZero() && b.isZero() && a.isNegative());
}

TEST_P(ArithmeticTest, MinMax) {
  CHECK_FLOAT(FMinNum, 2,
              r = a.isNaN()      ? b
                  : b.isNaN()    ? a
                  : isLess(a, b) ? a
                                 : b);
  CHECK_FLOAT(FMaxNum, 2,
              r = a.isNaN()      ? b
                  : b.isNaN()    ? a
                  : isLess(a, b) ? b
                                 : a);
  CHECK_FLOAT(FMinimum, 2,
              r = a.isNaN()      ? a
                  : b.isNaN()    ? b
                  : isLess(a, b) ? a
                                 : b);
  CHECK_FLOAT(FMaximum, 2,
              r = a.isNaN()      ? a
                  : b.isNaN()    ? b
                  : isLess(a, b) ? b
                                 : a);
}

TEST_P(ArithmeticTest, Rounding) {
  CHECK_FLOAT(FFloor, 1, r.roundToIntegral(RoundingMode::TowardNegative));
  CHECK_FLOAT(FCeil, 1, r.roundToIntegral(RoundingMode::TowardPositive));
  CHECK_FLOAT(FTrunc, 1, r.roundToIntegral(RoundingMode::TowardZero));
  CHECK_FLOAT(FRint, 1, r.roundToIntegral(nearest));
  CHECK_FLOAT(FRound, 1, r.roundToIntegral(RoundingMode::NearestTiesToAway));
}

TEST_P(ArithmeticTest, SquareRoot) {
  for (const FloatType &type : {f16, bf16, f32, f64})
    check(
        make(Opcode(unsigned(Opcode::FSqrtF16) + type.index)),
        shapeOf(type.width, 1), makeInputs(type, 1),
        [&](uint64_t a, uint64_t, uint64_t) {
          double x = convert(type.get(a), f64).convertToDouble();
          return fromDouble(type, std::sqrt(x));
        },
        type.equal());
}

TEST_P(ArithmeticTest, Comparisons) {
  using F = const APFloat &;
  checkComparison(Opcode::FCmpOEqF16, [](F a, F b) { return a == b; });
  checkComparison(Opcode::FCmpOLtF16, [](F a, F b) { return a < b; });
  checkComparison(Opcode::FCmpOLeF16, [](F a, F b) { return a <= b; });
  checkComparison(Opcode::FCmpONeF16, [](F a, F b) { return a < b || a > b; });
  checkComparison(Opcode::FCmpOrdF16,
                  [](F a, F b) { return !a.isNaN() && !b.isNaN(); });
  checkComparison(Opcode::FCmpUEqF16,
                  [](F a, F b) { return a.isNaN() || b.isNaN() || a == b; });
  checkComparison(Opcode::FCmpULtF16,
                  [](F a, F b) { return a.isNaN() || b.isNaN() || a < b; });
  checkComparison(Opcode::FCmpULeF16,
                  [](F a, F b) { return a.isNaN() || b.isNaN() || a <= b; });
  checkComparison(Opcode::FCmpUNeF16, [](F a, F b) { return !(a == b); });
  checkComparison(Opcode::FCmpUnoF16,
                  [](F a, F b) { return a.isNaN() || b.isNaN(); });
}

/// What functions are tested against: the same in a wider type.
struct Function {
  Opcode first;
  std::function<long double(long double, long double)> exact;
  double low = -8, high = 8; ///< where it is tested, beside special values
};

TEST_P(ArithmeticTest, Functions) {
  using L = long double;
  const Function functions[] = {
      {Opcode::ExpF16, [](L x, L) { return std::exp(x); }},
      {Opcode::Exp2F16, [](L x, L) { return std::exp2(x); }, -14, 14},
      {Opcode::Exp10F16, [](L x, L) { return std::pow(L(10), x); }, -4, 4},
      {Opcode::Expm1F16, [](L x, L) { return std::expm1(x); }},
      {Opcode::LogF16, [](L x, L) { return std::log(x); }, -1, 100},
      {Opcode::Log2F16, [](L x, L) { return std::log2(x); }, -1, 100},
      {Opcode::Log10F16, [](L x, L) { return std::log10(x); }, -1, 100},
      {Opcode::Log1pF16, [](L x, L) { return std::log1p(x); }, -2, 100},
      {Opcode::SinF16, [](L x, L) { return std::sin(x); }},
      {Opcode::CosF16, [](L x, L) { return std::cos(x); }},
      {Opcode::TanF16, [](L x, L) { return std::tan(x); }},
      {Opcode::AsinF16, [](L x, L) { return std::asin(x); }, -1.1, 1.1},
      {Opcode::AcosF16, [](L x, L) { return std::acos(x); }, -1.1, 1.1},
      {Opcode::AtanF16, [](L x, L) { return std::atan(x); }},
      {Opcode::SinhF16, [](L x, L) { return std::sinh(x); }},
      {Opcode::CoshF16, [](L x, L) { return std::cosh(x); }},
      {Opcode::TanhF16, [](L x, L) { return std::tanh(x); }},
      {Opcode::RcpF16, [](L x, L) { return 1 / x; }},
      {Opcode::RsqrtF16, [](L x, L) { return 1 / std::sqrt(x); }, -1, 100},
      {Opcode::CbrtF16, [](L x, L) { return std::cbrt(x); }},
      {Opcode::ErfF16, [](L x, L) { return std::erf(x); }, -3, 3},
      {Opcode::ErfcF16, [](L x, L) { return std::erfc(x); }, -3, 3},
      {Opcode::Atan2F16, [](L x, L y) { return std::atan2(x, y); }},
      {Opcode::PowF16, [](L x, L y) { return std::pow(x, y); }, -1, 4}};
  for (const Function &function : functions)
    for (const FloatType &type : {f16, bf16, f32, f64}) {
      bool isBinary = function.first == Opcode::Atan2F16 ||
                      function.first == Opcode::PowF16;
      std::vector<Inputs> inputs = combine(
          {fromDouble(type, 0), fromDouble(type, -0.0), fromDouble(type, 1),
           FloatType::bitsOf(APFloat::getInf(*type.semantics)),
           FloatType::bitsOf(APFloat::getInf(*type.semantics, true)),
           FloatType::bitsOf(APFloat::getQNaN(*type.semantics))},
          isBinary ? 2 : 1, 0);
      std::uniform_real_distribution<double> numbers(function.low,
                                                     function.high);
      for (unsigned i = 0; i < 1000; ++i)
        inputs.push_back({fromDouble(type, numbers(random)),
                          fromDouble(type, numbers(random)), 0});
      auto toDouble = [&](uint64_t bits) {
        return convert(type.get(bits), f64).convertToDouble();
      };
      // Two units in the last place of the type, or of double for the oracle.
      double epsilon = std::ldexp(
          2.5, 1 - int(APFloat::semanticsPrecision(*type.semantics)));
      double tiny =
          convert(APFloat::getSmallest(*type.semantics), f64).convertToDouble();
      check(
          make(Opcode(unsigned(function.first) + type.index)),
          shapeOf(type.width, isBinary ? 2 : 1), inputs,
          [&](uint64_t a, uint64_t b, uint64_t) {
            return fromDouble(type,
                              double(function.exact(toDouble(a), toDouble(b))));
          },
          [&](uint64_t expected, uint64_t found) {
            double x = toDouble(expected), y = toDouble(found);
            return type.equal()(expected, found) ||
                   std::abs(x - y) <= std::abs(x) * epsilon + tiny;
          });
    }
}

INSTANTIATE_TEST_SUITE_P(Isa, ArithmeticTest,
                         ::testing::ValuesIn(instructionSets()),
                         [](const auto &info) { return info.param; });

} // namespace
