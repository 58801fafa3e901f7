//===- SimulatorMathTest.cpp ----------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic of intrinsics and of libdevice on floating-point numbers, against
// the C library and long double.
//
//===----------------------------------------------------------------------===//

#include "SimulatorEvaluate.h"

using namespace tileir::sim::test;

namespace {

TEST(SimulatorMath, ExactOfOneOperand) {
  struct {
    const char *name;
    Unary function;
  } functions[] = {{"fabs", std::fabs},
                   {"sqrt", std::sqrt},
                   {"floor", std::floor},
                   {"ceil", std::ceil},
                   {"trunc", std::trunc},
                   {"rint", std::nearbyint},
                   {"nearbyint", std::nearbyint},
                   {"roundeven", std::nearbyint},
                   {"round", std::round},
                   {"canonicalize", [](double x) { return x; }}};
  for (auto &f : functions)
    for (std::string type : kFloatTypes)
      check(
          {type, std::string("llvm.") + f.name + "." + suffixOf(type), {type}},
          unary(type, f.function));
}

TEST(SimulatorMath, ExactOfTwoOperands) {
  struct {
    const char *name;
    Binary function;
    double ulps; // 0.5: zeros may have either sign
  } functions[] = {
      {"minnum", minNumber, 0.5},     {"maxnum", maxNumber, 0.5},
      {"minimumnum", minNumber, 0.5}, {"maximumnum", maxNumber, 0.5},
      {"minimum", minimum, 0},        {"maximum", maximum, 0},
      {"copysign", std::copysign, 0}};
  for (auto &f : functions)
    for (std::string type : kFloatTypes)
      check({type,
             std::string("llvm.") + f.name + "." + suffixOf(type),
             {type, type}},
            binary(type, f.function), f.ulps);
}

TEST(SimulatorMath, FusedMultiplyAdd) {
  for (std::string name : {"fma", "fmuladd"})
    for (std::string type : kFloatTypes)
      check({type, "llvm." + name + "." + suffixOf(type), {type, type, type}},
            [=](uint64_t x, uint64_t y, uint64_t z) {
              using llvm::APFloat;
              APFloat a(semanticsOf(type), llvm::APInt(bitsOf(type), x));
              APFloat b(semanticsOf(type), llvm::APInt(bitsOf(type), y));
              APFloat c(semanticsOf(type), llvm::APInt(bitsOf(type), z));
              a.fusedMultiplyAdd(b, c, APFloat::rmNearestTiesToEven);
              return a.bitcastToAPInt().getZExtValue();
            });
}

TEST(SimulatorMath, ApproximateFunctions) {
  struct {
    const char *name;
    Unary function;
  } functions[] = {{"exp", std::exp},
                   {"exp2", std::exp2},
                   {"log", std::log},
                   {"log2", std::log2},
                   {"log10", std::log10},
                   {"sin", std::sin},
                   {"cos", std::cos},
                   {"tan", std::tan},
                   {"asin", std::asin},
                   {"acos", std::acos},
                   {"atan", std::atan},
                   {"sinh", std::sinh},
                   {"cosh", std::cosh},
                   {"tanh", std::tanh},
                   {"exp10", [](double x) { return std::pow(10, x); }}};
  for (auto &f : functions)
    for (std::string type : kFloatTypes)
      check(
          {type, std::string("llvm.") + f.name + "." + suffixOf(type), {type}},
          unary(type, f.function), 2);
  for (std::string type : kFloatTypes) {
    check({type, "llvm.pow." + suffixOf(type), {type, type}},
          binary(type, std::pow), 2);
    check({type, "llvm.atan2." + suffixOf(type), {type, type}},
          binary(type, std::atan2), 2);
  }
  for (std::string type : {"float", "double"})
    check(
        {type, "llvm.powi." + suffixOf(type) + ".i32", {type, "i32"}},
        [=](uint64_t x, uint64_t y, uint64_t) {
          return encode(type, std::pow(decode(type, x), int32_t(y)));
        },
        2);
}

TEST(SimulatorMath, Libdevice) {
  struct {
    const char *name;
    Unary function;
  } functions[] = {{"exp", std::exp},
                   {"exp2", std::exp2},
                   {"expm1", std::expm1},
                   {"log", std::log},
                   {"log2", std::log2},
                   {"log10", std::log10},
                   {"log1p", std::log1p},
                   {"sin", std::sin},
                   {"cos", std::cos},
                   {"tan", std::tan},
                   {"asin", std::asin},
                   {"acos", std::acos},
                   {"atan", std::atan},
                   {"sinh", std::sinh},
                   {"cosh", std::cosh},
                   {"tanh", std::tanh},
                   {"asinh", std::asinh},
                   {"acosh", std::acosh},
                   {"atanh", std::atanh},
                   {"cbrt", std::cbrt},
                   {"erf", std::erf},
                   {"erfc", std::erfc},
                   {"sqrt", std::sqrt},
                   {"fabs", std::fabs},
                   {"ceil", std::ceil},
                   {"floor", std::floor},
                   {"rint", std::nearbyint},
                   {"round", std::round},
                   {"rsqrt", [](double x) { return 1 / std::sqrt(x); }}};
  for (auto &f : functions) {
    std::string name = std::string("__nv_") + f.name;
    check({"float", name + "f", {"float"}}, unary("float", f.function), 3);
    check({"double", name, {"double"}}, unary("double", f.function), 4);
  }
  struct {
    const char *name;
    Binary function;
  } binaries[] = {{"pow", std::pow},           {"atan2", std::atan2},
                  {"copysign", std::copysign}, {"fmod", std::fmod},
                  {"fmin", minNumber},         {"fmax", maxNumber}};
  for (auto &f : binaries) {
    std::string name = std::string("__nv_") + f.name;
    check({"float", name + "f", {"float", "float"}},
          binary("float", f.function), 2);
    check({"double", name, {"double", "double"}}, binary("double", f.function),
          2);
  }
  for (std::string name : {"exp", "log", "log2", "log10", "sin", "cos", "tan"})
    for (auto &f : functions)
      if (name == f.name)
        check({"float", "__nv_fast_" + name + "f", {"float"}},
              unary("float", f.function), 3);
  check({"float", "__nv_fast_powf", {"float", "float"}},
        binary("float", std::pow), 2);
  check(
      {"float", "__nv_powif", {"float", "i32"}},
      [](uint64_t x, uint64_t y, uint64_t) {
        return encode("float", std::pow(decode("float", x), int32_t(y)));
      },
      2);
  check({"float", "__nv_fmaf", {"float", "float", "float"}},
        [](uint64_t x, uint64_t y, uint64_t z) {
          return encode("float", std::fma(float(decode("float", x)),
                                          float(decode("float", y)),
                                          float(decode("float", z))));
        });
  check({"double", "__nv_fma", {"double", "double", "double"}},
        [](uint64_t x, uint64_t y, uint64_t z) {
          return encode("double",
                        std::fma(decode("double", x), decode("double", y),
                                 decode("double", z)));
        });
  check({"i32", "__nv_abs", {"i32"}}, [](uint64_t x, uint64_t, uint64_t) {
    return int32_t(x) < 0 ? lowBits(-x, 32) : x;
  });
}

TEST(SimulatorMath, LibdeviceTests) {
  struct {
    const char *name, *type;
    bool (*test)(double);
  } tests[] = {
      {"__nv_isnanf", "float", [](double x) { return std::isnan(x); }},
      {"__nv_isnand", "double", [](double x) { return std::isnan(x); }},
      {"__nv_isinff", "float", [](double x) { return std::isinf(x); }},
      {"__nv_isinfd", "double", [](double x) { return std::isinf(x); }},
      {"__nv_finitef", "float", [](double x) { return std::isfinite(x); }},
      {"__nv_isfinited", "double", [](double x) { return std::isfinite(x); }}};
  for (auto &t : tests)
    check({"i32", t.name, {t.type}}, [&](uint64_t x, uint64_t, uint64_t) {
      return uint64_t(t.test(decode(t.type, x)));
    });
}

TEST(SimulatorMath, Classes) {
  using llvm::APFloat;
  for (std::string type : kFloatTypes)
    for (unsigned classes : {1u, 2u, 3u, 4u, 0x10u, 0x60u, 0x90u, 0x108u,
                             0x1f8u, 0x207u, 0x264u, 0x3fcu, 0x3ffu, 0u})
      check({"i1",
             "llvm.is.fpclass." + suffixOf(type),
             {type},
             ", i32 " + std::to_string(classes)},
            [=](uint64_t x, uint64_t, uint64_t) -> uint64_t {
              APFloat value(semanticsOf(type), llvm::APInt(bitsOf(type), x));
              return (value.classify() & llvm::FPClassTest(classes)) != 0;
            });
}

TEST(SimulatorMath, SaturatingConversions) {
  for (std::string from : kFloatTypes)
    for (std::string to : {"i8", "i16", "i32", "i64"})
      for (bool isSigned : {false, true})
        check({to,
               std::string(isSigned ? "llvm.fptosi.sat." : "llvm.fptoui.sat.") +
                   to + "." + suffixOf(from),
               {from}},
              [=](uint64_t x, uint64_t, uint64_t) {
                return saturateTo(decode(from, x), bitsOf(to), isSigned);
              });
  check({"i32", "llvm.lrint.i32.f32", {"float"}},
        [](uint64_t x, uint64_t, uint64_t) {
          return saturateTo(std::nearbyint(decode("float", x)), 32, true);
        });
  check({"i64", "llvm.llround.i64.f64", {"double"}},
        [](uint64_t x, uint64_t, uint64_t) {
          return convertTo(std::round(decode("double", x)), "double", 64, true);
        });
}

} // namespace
