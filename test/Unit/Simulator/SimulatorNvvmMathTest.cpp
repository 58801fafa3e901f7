//===- SimulatorNvvmMathTest.cpp ------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic and conversions of llvm.nvvm.* on floating-point numbers, against
// the C library and APFloat.
//
//===----------------------------------------------------------------------===//

#include "SimulatorEvaluate.h"

using namespace tileir::sim::test;

namespace {

TEST(SimulatorNvvmMath, NvvmFloat) {
  bool flushes = false;
  auto f32 = [&](Unary f) {
    return flushed(flushes, "float", unary("float", f));
  };
  auto f64 = [](Unary f) { return unary("double", f); };
  auto identity = [](double x) { return x; };
  auto clamp = [](double x) {
    return std::isnan(x) || x <= 0 ? 0.0 : x >= 1 ? 1.0 : x;
  };
  (void)identity;
  check({"float", "llvm.nvvm.sqrt.f", {"float"}}, f32(std::sqrt));
  for (std::string ftz : {"", ".ftz"}) {
    flushes = !ftz.empty();
    check({"float", "llvm.nvvm.rcp.rn" + ftz + ".f", {"float"}},
          f32([](double x) { return 1 / x; }));
    check({"float", "llvm.nvvm.sqrt.rn" + ftz + ".f", {"float"}},
          f32(std::sqrt));
    check({"float", "llvm.nvvm.sqrt.approx" + ftz + ".f", {"float"}},
          f32(std::sqrt));
    check({"float", "llvm.nvvm.floor" + ftz + ".f", {"float"}},
          f32(std::floor));
    check({"float", "llvm.nvvm.fabs" + ftz + ".f32", {"float"}},
          f32(std::fabs));
    check({"float", "llvm.nvvm.lg2.approx" + ftz + ".f", {"float"}},
          f32(std::log2), 2);
    check({"float", "llvm.nvvm.ex2.approx" + ftz + ".f32", {"float"}},
          f32(std::exp2), 2);
    check({"float", "llvm.nvvm.sin.approx" + ftz + ".f", {"float"}},
          f32(std::sin), 2);
    check({"float", "llvm.nvvm.cos.approx" + ftz + ".f", {"float"}},
          f32(std::cos), 2);
    check({"float", "llvm.nvvm.rsqrt.approx" + ftz + ".f", {"float"}},
          f32([](double x) { return 1 / std::sqrt(x); }), 2);
    check({"float", "llvm.nvvm.saturate" + ftz + ".f", {"float"}}, f32(clamp),
          0.5);
  }
  flushes = false;
  check({"half", "llvm.nvvm.ex2.approx.f16", {"half"}},
        unary("half", std::exp2), 1);
  check({"float", "llvm.nvvm.rcp.approx.ftz.f", {"float"}},
        flushed(true, "float", unary("float", [](double x) { return 1 / x; })),
        1);
  check({"double", "llvm.nvvm.rcp.rn.d", {"double"}},
        f64([](double x) { return 1 / x; }));
  check({"double", "llvm.nvvm.sqrt.rn.d", {"double"}}, f64(std::sqrt));
  check({"double", "llvm.nvvm.saturate.d", {"double"}}, f64(clamp), 0.5);
  check({"float", "llvm.nvvm.floor.f", {"float"}}, f32(std::floor));
  check({"double", "llvm.nvvm.ceil.d", {"double"}}, f64(std::ceil));
  check({"float", "llvm.nvvm.trunc.f", {"float"}}, f32(std::trunc));
  check({"float", "llvm.nvvm.round.f", {"float"}}, f32(std::nearbyint));
  check({"float", "llvm.nvvm.fabs.f32", {"float"}}, f32(std::fabs));
  check({"bfloat", "llvm.nvvm.neg.bf16", {"bfloat"}},
        unary("bfloat", [](double x) { return -x; }));
  struct {
    const char *name;
    Binary function;
  } binaries[] = {{"add.rn", [](double x, double y) { return x + y; }},
                  {"mul.rn", [](double x, double y) { return x * y; }},
                  {"div.rn", [](double x, double y) { return x / y; }}};
  for (auto &b : binaries) {
    std::string name = std::string("llvm.nvvm.") + b.name;
    check({"float", name + ".f", {"float", "float"}},
          binary("float", b.function));
    check({"double", name + ".d", {"double", "double"}},
          binary("double", b.function));
  }
  check({"float", "llvm.nvvm.div.approx.f", {"float", "float"}},
        binary("float", binaries[2].function), 2);
  check({"float", "llvm.nvvm.div.full", {"float", "float"}},
        binary("float", binaries[2].function), 2);
  check({"float", "llvm.nvvm.add.rn.sat.f", {"float", "float"}},
        binary("float",
               [](double x, double y) {
                 double s = float(x) + float(y);
                 return std::isnan(s) || s <= 0 ? 0.0 : s >= 1 ? 1.0 : s;
               }),
        0.5);
  check({"float", "llvm.nvvm.fma.rn.f", {"float", "float", "float"}},
        [](uint64_t x, uint64_t y, uint64_t z) {
          return encode("float", std::fma(float(decode("float", x)),
                                          float(decode("float", y)),
                                          float(decode("float", z))));
        });
  check(
      {"half", "llvm.nvvm.fma.rn.relu.f16", {"half", "half", "half"}},
      [](uint64_t x, uint64_t y, uint64_t z) {
        double s =
            std::fma(decode("half", x), decode("half", y), decode("half", z));
        return encode("half", std::isnan(s) ? s : std::max(s, 0.0));
      },
      0.5);
}

TEST(SimulatorNvvmMath, NvvmMinMax) {
  struct {
    const char *name, *type;
  } types[] = {{"f", "float"}, {"f16", "half"}, {"bf16", "bfloat"}};
  for (auto &t : types)
    for (std::string ftz : {"", ".ftz"}) {
      std::string type = t.type, end = std::string(".") + t.name;
      if (!ftz.empty() && type == "bfloat")
        continue; // LLVM has no such instruction
      std::string min = "llvm.nvvm.fmin" + ftz, max = "llvm.nvvm.fmax" + ftz;
      auto pairs = [&](Binary f) {
        return flushed(!ftz.empty(), type, binary(type, f));
      };
      check({type, min + end, {type, type}}, pairs(minNumber), 0.5);
      check({type, max + end, {type, type}}, pairs(maxNumber), 0.5);
      check({type, min + ".nan" + end, {type, type}}, pairs(minimum));
      check({type, max + ".nan" + end, {type, type}}, pairs(maximum));
      check({type, max + ".xorsign.abs" + end, {type, type}},
            flushed(!ftz.empty(), type, [=](uint64_t x, uint64_t y, uint64_t) {
              double a = decode(type, x), b = decode(type, y);
              double m = maxNumber(std::fabs(a), std::fabs(b));
              bool negative = std::signbit(a) != std::signbit(b);
              return encode(type, std::copysign(m, negative ? -1 : 1));
            }));
    }
  check({"double", "llvm.nvvm.fmin.d", {"double", "double"}},
        binary("double", minNumber), 0.5);
  check({"double", "llvm.nvvm.fmax.d", {"double", "double"}},
        binary("double", maxNumber), 0.5);
}

TEST(SimulatorNvvmMath, NvvmConversions) {
  using llvm::APFloat;
  auto convert = [](const char *from, const char *to,
                    llvm::RoundingMode rounding) {
    return Expected([=](uint64_t x, uint64_t, uint64_t) {
      APFloat value(semanticsOf(from), llvm::APInt(bitsOf(from), x));
      bool losesInfo;
      value.convert(semanticsOf(to), rounding, &losesInfo);
      return value.bitcastToAPInt().getZExtValue();
    });
  };
  const auto even = APFloat::rmNearestTiesToEven, zero = APFloat::rmTowardZero;
  check({"float", "llvm.nvvm.d2f.rn", {"double"}},
        convert("double", "float", even));
  check({"half", "llvm.nvvm.f2f16.rn", {"float"}},
        convert("float", "half", even));
  check({"half", "llvm.nvvm.f2f16.rz", {"float"}},
        convert("float", "half", zero));
  check({"bfloat", "llvm.nvvm.f2bf16.rn", {"float"}},
        convert("float", "bfloat", even));
  check({"bfloat", "llvm.nvvm.f2bf16.rz", {"float"}},
        convert("float", "bfloat", zero));
  check(
      {"bfloat", "llvm.nvvm.f2bf16.rn.relu", {"float"}},
      [](uint64_t x, uint64_t, uint64_t) {
        double value = decode("float", x);
        return encode("bfloat", value < 0 ? 0 : value);
      },
      0.5);
  check({"half", "llvm.nvvm.f2f16.rn.satfinite", {"float"}},
        [](uint64_t x, uint64_t, uint64_t) {
          double value = decode("float", x);
          return encode("half", value > 65504    ? 65504
                                : value < -65504 ? -65504
                                                 : value);
        });
  struct {
    const char *mode;
    Unary round;
  } roundings[] = {{"rn", std::nearbyint},
                   {"rz", std::trunc},
                   {"rm", std::floor},
                   {"rp", std::ceil}};
  struct {
    const char *indices, *type;
    bool isSigned;
  } integers[] = {{"i", "i32", true},
                  {"ui", "i32", false},
                  {"ll", "i64", true},
                  {"ull", "i64", false}};
  for (auto &i : integers) {
    for (auto &r : roundings)
      for (std::string from : {"f", "d"}) {
        std::string type = from == "f" ? "float" : "double";
        check({i.type,
               "llvm.nvvm." + from + "2" + i.indices + "." + r.mode,
               {type}},
              [=](uint64_t x, uint64_t, uint64_t) {
                return convertTo(r.round(decode(type, x)), type, bitsOf(i.type),
                                 i.isSigned);
              });
      }
    for (std::string to : {"f", "d"}) {
      std::string type = to == "f" ? "float" : "double";
      check({type,
             std::string("llvm.nvvm.") + i.indices + "2" + to + ".rn",
             {i.type}},
            [=](uint64_t x, uint64_t, uint64_t) {
              APFloat value(semanticsOf(type));
              value.convertFromAPInt(llvm::APInt(bitsOf(i.type), x), i.isSigned,
                                     even);
              return value.bitcastToAPInt().getZExtValue();
            });
    }
  }
  // tf32: a float with 10 bits of mantissa, half away from zero, even, cut.
  auto toTf32 = [](llvm::RoundingMode rounding) {
    return Expected([=](uint64_t x, uint64_t, uint64_t) -> uint64_t {
      APFloat value(APFloat::IEEEsingle(), llvm::APInt(32, x));
      if (value.isNaN())
        return x & ~uint64_t(0x1fff);
      bool losesInfo;
      value.convert(APFloat::FloatTF32(), rounding, &losesInfo);
      value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
      return value.bitcastToAPInt().getZExtValue();
    });
  };
  check({"i32", "llvm.nvvm.f2tf32.rna", {"float"}},
        toTf32(APFloat::rmNearestTiesToAway));
  check({"i32", "llvm.nvvm.f2tf32.rn", {"float"}}, toTf32(even));
  check({"i32", "llvm.nvvm.f2tf32.rz", {"float"}}, toTf32(zero));
  // Two f8 are an i16, the first float in its upper byte.
  auto toF8 = [](const llvm::fltSemantics &semantics, bool relu) {
    return Expected([&semantics, relu](uint64_t x, uint64_t y, uint64_t) {
      auto round = [&](uint64_t bits) -> uint64_t {
        APFloat value(APFloat::IEEEsingle(), llvm::APInt(32, bits));
        if (value.isNaN())
          return 0x7f;
        if (relu && value.isNegative())
          value = APFloat::getZero(APFloat::IEEEsingle());
        APFloat rounded = value;
        bool losesInfo;
        rounded.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
        if (!rounded.isFinite())
          rounded = APFloat::getLargest(semantics, value.isNegative());
        return rounded.bitcastToAPInt().getZExtValue();
      };
      return round(x) << 8 | round(y);
    });
  };
  for (bool relu : {false, true}) {
    std::string suffix = relu ? ".rn.relu" : ".rn";
    check({"i16", "llvm.nvvm.ff.to.e4m3x2" + suffix, {"float", "float"}},
          toF8(APFloat::Float8E4M3FN(), relu));
    check({"i16", "llvm.nvvm.ff.to.e5m2x2" + suffix, {"float", "float"}},
          toF8(APFloat::Float8E5M2(), relu));
  }
  check({"i16", "llvm.nvvm.f2h.rn", {"float"}}, convert("float", "half", even));
}

} // namespace
