//===- SimulatorRoundingTest.cpp ------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic and conversions in all roundings, with subnormal numbers flushed
// and results saturated, against llvm::APFloat: the handlers first, then the
// intrinsics that lead to them.
//
//===----------------------------------------------------------------------===//

#include "SimulatorEvaluate.h"
#include "SimulatorFloatTest.h"

using namespace tileir::sim;

namespace {

constexpr RoundingMode kRoundings[] = {
    RoundingMode::NearestTiesToEven, RoundingMode::TowardZero,
    RoundingMode::TowardNegative, RoundingMode::TowardPositive};
const char *const kNames[] = {"rn", "rz", "rm", "rp"};

/// Zero of its sign in place of a subnormal number.
APFloat flush(APFloat x) {
  return x.isDenormal() ? APFloat::getZero(x.getSemantics(), x.isNegative())
                        : x;
}
APFloat clamp(const APFloat &x) {
  APFloat zero = APFloat::getZero(x.getSemantics());
  APFloat one(x.getSemantics(), 1);
  return x.isNaN() || x <= zero ? zero : x >= one ? one : x;
}

/// The root of a number, rounded: found by halving between two numbers, with
/// squares that are exact in a wide type.
APFloat squareRoot(const APFloat &x, RoundingMode rounding) {
  if (x.isNaN() || x.isZero() || (x.isInfinity() && !x.isNegative()))
    return x;
  const llvm::fltSemantics &narrow = x.getSemantics();
  if (x.isNegative())
    return APFloat::getNaN(narrow);
  bool losesInfo;
  auto wide = [&](APFloat y) {
    y.convert(APFloat::IEEEquad(), RoundingMode::NearestTiesToEven, &losesInfo);
    return y;
  };
  auto isAbove = [&](APFloat y) { // y^2 > x
    APFloat square = wide(y);
    square.multiply(wide(y), RoundingMode::NearestTiesToEven);
    return square > wide(x);
  };
  // The bits of positive numbers are in the order of the numbers.
  APInt low = APFloat::getZero(narrow).bitcastToAPInt();
  APInt high = APFloat::getLargest(narrow).bitcastToAPInt();
  while ((high - low).ugt(1)) {
    APInt middle = low + (high - low).lshr(1);
    (isAbove(APFloat(narrow, middle)) ? high : low) = middle;
  }
  APFloat down(narrow, low), up(narrow, high);
  APFloat square = wide(down);
  square.multiply(wide(down), RoundingMode::NearestTiesToEven);
  if (square == wide(x) || rounding == RoundingMode::TowardZero ||
      rounding == RoundingMode::TowardNegative)
    return down;
  if (rounding == RoundingMode::TowardPositive)
    return up;
  // The middle of both is no root of a number of this type.
  APFloat middle = wide(down);
  middle.add(wide(up), RoundingMode::NearestTiesToEven);
  middle.multiply(wide(APFloat(narrow, "0.5")),
                  RoundingMode::NearestTiesToEven);
  middle.multiply(APFloat(middle), RoundingMode::NearestTiesToEven);
  return middle > wide(x) ? down : up;
}

using RoundedOracle = std::function<APFloat(const APFloat &, const APFloat &,
                                            const APFloat &, RoundingMode)>;
struct Operation {
  const char *name;
  Opcode first;
  unsigned operands;
  RoundedOracle oracle;
};
using F = const APFloat &;
template <APFloat::opStatus (APFloat::*apply)(F, RoundingMode)>
APFloat applyToTwo(F a, F b, F, RoundingMode m) {
  APFloat r = a;
  (r.*apply)(b, m);
  return r;
}
const Operation kOperations[] = {
    {"add", Opcode::FAddInModeF16, 2, applyToTwo<&APFloat::add>},
    {"sub", Opcode::FSubInModeF16, 2, applyToTwo<&APFloat::subtract>},
    {"mul", Opcode::FMulInModeF16, 2, applyToTwo<&APFloat::multiply>},
    {"div", Opcode::FDivInModeF16, 2, applyToTwo<&APFloat::divide>},
    {"fma", Opcode::FFmaInModeF16, 3,
     [](F a, F b, F c, RoundingMode m) {
       APFloat r = a;
       r.fusedMultiplyAdd(b, c, m);
       return r;
     }},
    {"sqrt", Opcode::FSqrtInModeF16, 1,
     [](F a, F, F, RoundingMode m) { return squareRoot(a, m); }},
};

APFloat applyMode(const Operation &operation, APFloat a, APFloat b, APFloat c,
                  RoundingMode rounding, bool flushes, bool saturates) {
  if (flushes) {
    a = flush(a);
    b = flush(b);
    c = flush(c);
  }
  APFloat r = operation.oracle(a, b, c, rounding);
  if (flushes)
    r = flush(r);
  return saturates ? clamp(r) : r;
}

class RoundingTest : public FloatTest {};

TEST_P(RoundingTest, Arithmetic) {
  for (const FloatType &type : {f16, f32, f64})
    for (const Operation &operation : kOperations)
      for (unsigned mode = 0; mode < 16; ++mode) {
        if (&*type.semantics == &APFloat::IEEEhalf() && mode & kRoundingMask)
          continue;
        bool isRoot = operation.first == Opcode::FSqrtInModeF16;
        bool isSum = operation.first == Opcode::FAddInModeF16;
        if (mode & kSaturate && (isRoot || (mode & kRoundingMask && !isSum)))
          continue; // nothing new
        SCOPED_TRACE(std::string(operation.name) + ", mode " +
                     std::to_string(mode));
        check(
            make(Opcode(unsigned(operation.first) + type.index), mode),
            shapeOf(type.width, operation.operands),
            makeInputs(type, operation.operands),
            [&](uint64_t a, uint64_t b, uint64_t c) {
              return FloatType::bitsOf(
                  applyMode(operation, type.get(a), type.get(b), type.get(c),
                            kRoundings[mode & kRoundingMask], mode & kFlush,
                            mode & kSaturate));
            },
            type.equal());
        if (HasFatalFailure())
          return;
      }
}

TEST_P(RoundingTest, NarrowerTypes) {
  struct {
    Opcode opcode;
    const FloatType &from, &to;
  } conversions[] = {{Opcode::CvtF32ToF16, f32, f16},
                     {Opcode::CvtF32ToBF16, f32, bf16},
                     {Opcode::CvtF64ToF16, f64, f16},
                     {Opcode::CvtF64ToBF16, f64, bf16},
                     {Opcode::CvtF64ToF32, f64, f32}};
  for (auto &conversion : conversions)
    for (unsigned mode = 0; mode < 4; ++mode) {
      // Numbers of all sizes, also where the result is subnormal or too large.
      std::vector<Inputs> inputs = makeInputs(conversion.from, 1);
      for (uint64_t bits : specials(conversion.to)) {
        APFloat x = convert(conversion.to.get(bits), conversion.from);
        for (int step = -2; step <= 2; ++step)
          inputs.push_back({FloatType::bitsOf(x) + step, 0, 0});
      }
      for (unsigned i = 0; i < 4000; ++i) {
        APFloat x = convert(APFloat(1 + double(random()) / double(1ull << 32)),
                            conversion.from);
        int least = ilogb(APFloat::getSmallest(*conversion.to.semantics));
        int most = ilogb(APFloat::getLargest(*conversion.to.semantics));
        x = scalbn(x, least - 3 + int(random() % unsigned(most - least + 6)),
                   RoundingMode::NearestTiesToEven);
        if (random() & 1)
          x.changeSign();
        inputs.push_back({FloatType::bitsOf(x), 0, 0});
      }
      uint64_t mask = conversion.from.bits() == 64 ? ~uint64_t(0) : 0xffffffff;
      for (Inputs &in : inputs)
        in[0] &= mask;
      SCOPED_TRACE(mode);
      check(
          make(conversion.opcode, mode),
          {conversion.to.width, conversion.from.width, 0, 0}, inputs,
          [&](uint64_t a, uint64_t, uint64_t) {
            return FloatType::bitsOf(convert(conversion.from.get(a),
                                             conversion.to, kRoundings[mode]));
          },
          conversion.to.equal());
      if (HasFatalFailure())
        return;
    }
}

TEST_P(RoundingTest, Integers) {
  struct {
    unsigned width;
    bool isSigned;
  } integers[] = {{32, true}, {32, false}, {64, true}, {64, false}};
  for (const FloatType &type : {f16, bf16, f32, f64})
    for (unsigned i = 0; i < 4; ++i)
      for (unsigned mode = 0; mode < 4; ++mode) {
        unsigned width = integers[i].width;
        std::vector<Inputs> inputs;
        for (unsigned n = 0; n < 4000; ++n) {
          uint64_t x = uint64_t(random()) << 32 | uint32_t(random());
          x >>= random() % 64;
          if (n % 4 == 0) // next to a number of few bits
            x = (uint64_t(1) << random() % 64) + random() % 5 - 2;
          if (random() & 1)
            x = -x;
          inputs.push_back({width == 32 ? uint32_t(x) : x, 0, 0});
        }
        unsigned perType =
            unsigned(Opcode::CvtS32ToBF16) - unsigned(Opcode::CvtS32ToF16);
        unsigned first = unsigned(Opcode::CvtS32ToF16) + perType * type.index;
        SCOPED_TRACE(std::to_string(i) + ", mode " + std::to_string(mode));
        check(
            make(Opcode(first + i), mode), {type.width, width, 0, 0}, inputs,
            [&](uint64_t a, uint64_t, uint64_t) {
              APFloat x(*type.semantics);
              x.convertFromAPInt(APInt(64, a).trunc(width),
                                 integers[i].isSigned, kRoundings[mode]);
              return FloatType::bitsOf(x);
            },
            type.equal());
        if (HasFatalFailure())
          return;
      }
}

INSTANTIATE_TEST_SUITE_P(Isa, RoundingTest,
                         ::testing::ValuesIn(instructionSets()),
                         [](const auto &info) { return info.param; });

//===----------------------------------------------------------------------===//
// Intrinsics
//===----------------------------------------------------------------------===//

APFloat numberOf(const std::string &type, uint64_t bits) {
  return APFloat(test::semanticsOf(type), APInt(test::bitsOf(type), bits));
}

TEST(SimulatorRounding, Arithmetic) {
  for (const Operation &operation : kOperations)
    for (unsigned mode = 0; mode < 4; ++mode)
      for (std::string end : {".d", ".f", ".ftz.f", ".sat.f", ".ftz.sat.f"}) {
        std::string name = operation.name;
        bool flushes = end.find("ftz") != std::string::npos;
        bool saturates = end.find("sat") != std::string::npos;
        if (name == "sub" || (saturates && name != "add" && name != "fma"))
          continue; // LLVM has none
        std::string type = end == ".d" ? "double" : "float";
        std::vector<std::string> operands(operation.operands, type);
        test::check(
            {type, "llvm.nvvm." + name + "." + kNames[mode] + end, operands},
            [&](uint64_t x, uint64_t y, uint64_t z) {
              auto get = [&](uint64_t bits) {
                return numberOf(type, test::lowBits(bits, test::bitsOf(type)));
              };
              return FloatType::bitsOf(applyMode(operation, get(x), get(y),
                                                 get(z), kRoundings[mode],
                                                 flushes, saturates));
            });
        if (testing::Test::HasFatalFailure())
          return;
      }
}

TEST(SimulatorRounding, Reciprocals) {
  for (unsigned mode = 0; mode < 4; ++mode)
    for (std::string end : {".d", ".f", ".ftz.f"}) {
      std::string type = end == ".d" ? "double" : "float";
      test::check(
          {type, std::string("llvm.nvvm.rcp.") + kNames[mode] + end, {type}},
          [&](uint64_t x, uint64_t, uint64_t) {
            return FloatType::bitsOf(
                applyMode(kOperations[3], APFloat(test::semanticsOf(type), 1),
                          numberOf(type, x), numberOf(type, x),
                          kRoundings[mode], end == ".ftz.f", false));
          });
    }
  // The upper halves of numbers only: 20 bits of the fraction.
  auto upper = [](double (*function)(double)) {
    return test::Expected([=](uint64_t x, uint64_t, uint64_t) {
      APFloat cut = flush(numberOf("double", x & ~uint64_t(0xffffffff)));
      APFloat result = flush(APFloat(function(cut.convertToDouble())));
      return FloatType::bitsOf(result) & ~uint64_t(0xffffffff);
    });
  };
  test::check({"double", "llvm.nvvm.rcp.approx.ftz.d", {"double"}},
              upper([](double x) { return 1 / x; }));
  test::check({"double", "llvm.nvvm.rsqrt.approx.ftz.d", {"double"}},
              upper([](double x) { return 1 / std::sqrt(x); }),
              /*ulps=*/1ull << 32);
}

TEST(SimulatorRounding, Conversions) {
  for (unsigned mode = 0; mode < 4; ++mode)
    for (std::string ftz : {"", ".ftz"}) {
      std::string end = std::string(".") + kNames[mode] + ftz;
      test::check(
          {"float", "llvm.nvvm.d2f" + end, {"double"}},
          [&](uint64_t x, uint64_t, uint64_t) {
            APFloat value = numberOf("double", x);
            bool losesInfo;
            value.convert(APFloat::IEEEsingle(), kRoundings[mode], &losesInfo);
            return FloatType::bitsOf(ftz.empty() ? value : flush(value));
          });
      for (std::string to : {"i", "ui", "ll", "ull"}) {
        std::string type = to.back() == 'i' ? "i32" : "i64";
        bool isSigned = to[0] != 'u';
        test::check({type, "llvm.nvvm.f2" + to + end, {"float"}},
                    [&](uint64_t x, uint64_t, uint64_t) {
                      APFloat value = numberOf("float", x);
                      if (!ftz.empty())
                        value = flush(value);
                      if (value.isNaN())
                        return type == "i64" ? uint64_t(1) << 63 : 0;
                      llvm::APSInt result(test::bitsOf(type), !isSigned);
                      bool isExact;
                      value.convertToInteger(result, kRoundings[mode],
                                             &isExact);
                      return result.getZExtValue();
                    });
        for (std::string from : {"f", "d"})
          if (ftz.empty()) {
            std::string number = from == "f" ? "float" : "double";
            test::check({number,
                         "llvm.nvvm." + to + "2" + from + "." + kNames[mode],
                         {type}},
                        [&](uint64_t x, uint64_t, uint64_t) {
                          APFloat value(test::semanticsOf(number));
                          value.convertFromAPInt(APInt(test::bitsOf(type), x),
                                                 isSigned, kRoundings[mode]);
                          return FloatType::bitsOf(value);
                        });
          }
        if (testing::Test::HasFatalFailure())
          return;
      }
    }
}

} // namespace
