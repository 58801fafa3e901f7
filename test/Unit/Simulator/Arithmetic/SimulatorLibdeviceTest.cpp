//===- SimulatorLibdeviceTest.cpp -----------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of libdevice that have no body and stand for instructions, against
// plain C++. test/Simulator/libdevice.py checks all of libdevice where there is
// one.
//
//===----------------------------------------------------------------------===//

#include "SimulatorEvaluate.h"

#include <strings.h>

using namespace tileir::sim::test;

namespace {

TEST(SimulatorLibdevice, Integers) {
  using I = int32_t;
  using L = int64_t;
  struct {
    const char *name, *type;
    unsigned operands;
    Expected expected;
    const char *result = nullptr; ///< if not as `type`
  } functions[] = {
      {"clz", "i32", 1,
       [](uint64_t x, uint64_t, uint64_t) {
         return uint64_t(x ? __builtin_clz(x) : 32);
       }},
      {"popcll", "i64", 1,
       [](uint64_t x, uint64_t, uint64_t) {
         return uint64_t(__builtin_popcountll(x));
       },
       "i32"},
      {"clzll", "i64", 1,
       [](uint64_t x, uint64_t, uint64_t) {
         return uint64_t(x ? __builtin_clzll(x) : 64);
       },
       "i32"},
      {"ffs", "i32", 1,
       [](uint64_t x, uint64_t, uint64_t) { return uint64_t(ffs(I(x))); }},
      {"ffsll", "i64", 1,
       [](uint64_t x, uint64_t, uint64_t) { return uint64_t(ffsll(L(x))); },
       "i32"},
      {"umin", "i32", 2,
       [](uint64_t x, uint64_t y, uint64_t) { return std::min(x, y); }},
      {"llmax", "i64", 2,
       [](uint64_t x, uint64_t y, uint64_t) {
         return uint64_t(std::max(L(x), L(y)));
       }},
      {"mulhi", "i32", 2,
       [](uint64_t x, uint64_t y, uint64_t) {
         return lowBits(uint64_t(L(I(x)) * I(y) >> 32), 32);
       }},
      {"umul64hi", "i64", 2,
       [](uint64_t x, uint64_t y, uint64_t) {
         return uint64_t(static_cast<unsigned __int128>(x) * y >> 64);
       }},
      {"mul24", "i32", 2,
       [](uint64_t x, uint64_t y, uint64_t) {
         return lowBits(uint64_t(signExtend(x, 24) * signExtend(y, 24)), 32);
       }},
      {"usad", "i32", 3,
       [](uint64_t x, uint64_t y, uint64_t z) {
         return lowBits(std::max(x, y) - std::min(x, y) + z, 32);
       }},
      {"hadd", "i32", 2,
       [](uint64_t x, uint64_t y, uint64_t) {
         return lowBits(uint64_t((L(I(x)) + I(y)) >> 1), 32);
       }},
      {"rhadd", "i32", 2,
       [](uint64_t x, uint64_t y, uint64_t) {
         return lowBits(uint64_t((L(I(x)) + I(y) + 1) >> 1), 32);
       }},
      {"uhadd", "i32", 2,
       [](uint64_t x, uint64_t y, uint64_t) { return (x + y) >> 1; }},
      {"urhadd", "i32", 2,
       [](uint64_t x, uint64_t y, uint64_t) { return (x + y + 1) >> 1; }},
      {"byte_perm", "i32", 3,
       [](uint64_t x, uint64_t y, uint64_t selector) {
         uint64_t bytes = y << 32 | x, result = 0;
         for (unsigned i = 0; i < 4; ++i)
           result |= (bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
         return result;
       }},
  };
  for (auto &f : functions)
    check({f.result ? f.result : f.type, std::string("__nv_") + f.name,
           std::vector<std::string>(f.operands, f.type)},
          f.expected);
}

TEST(SimulatorLibdevice, Roundings) {
  using llvm::APFloat;
  struct {
    const char *name;
    llvm::RoundingMode mode;
  } roundings[] = {{"rn", APFloat::rmNearestTiesToEven},
                   {"rz", APFloat::rmTowardZero},
                   {"rd", APFloat::rmTowardNegative},
                   {"ru", APFloat::rmTowardPositive}};
  for (auto &r : roundings) {
    std::string rounding = std::string("_") + r.name;
    for (std::string type : {"float", "double"}) {
      std::string letter = type.substr(0, 1);
      auto get = [type](uint64_t bits) {
        return APFloat(semanticsOf(type), llvm::APInt(bitsOf(type), bits));
      };
      check({type, "__nv_" + letter + "add" + rounding, {type, type}},
            [&](uint64_t x, uint64_t y, uint64_t) {
              APFloat sum = get(x);
              sum.add(get(y), r.mode);
              return sum.bitcastToAPInt().getZExtValue();
            });
      check({type, "__nv_" + letter + "rcp" + rounding, {type}},
            [&](uint64_t x, uint64_t, uint64_t) {
              APFloat quotient(semanticsOf(type), 1);
              quotient.divide(get(x), r.mode);
              return quotient.bitcastToAPInt().getZExtValue();
            });
      std::string fma = type == "float" ? "fmaf_ieee" : "fma";
      check({type, "__nv_" + fma + rounding, {type, type, type}},
            [&](uint64_t x, uint64_t y, uint64_t z) {
              APFloat sum = get(x);
              sum.fusedMultiplyAdd(get(y), get(z), r.mode);
              return sum.bitcastToAPInt().getZExtValue();
            });
      check({"i32", "__nv_" + type + "2uint" + rounding, {type}},
            [&](uint64_t x, uint64_t, uint64_t) {
              APFloat value = get(x);
              value.roundToIntegral(r.mode);
              return convertTo(value.convertToDouble(), type, 32, false);
            });
      check({type, "__nv_ll2" + type + rounding, {"i64"}},
            [&](uint64_t x, uint64_t, uint64_t) {
              APFloat value(semanticsOf(type));
              value.convertFromAPInt(llvm::APInt(64, x), true, r.mode);
              return value.bitcastToAPInt().getZExtValue();
            });
    }
  }
}

TEST(SimulatorLibdevice, Floats) {
  check({"float", "__nv_fdimf", {"float", "float"}},
        binary("float", [](double x, double y) {
          return std::isnan(x) || std::isnan(y) ? NAN : std::fdim(x, y);
        }));
  check({"float", "__nv_rhypotf", {"float", "float"}},
        binary("float",
               [](double x, double y) { return 1 / std::sqrt(x * x + y * y); }),
        1);
  check({"double", "__nv_atanh", {"double"}}, unary("double", std::atanh), 3);
  check({"i32", "__nv_signbitd", {"double"}},
        [](uint64_t x, uint64_t, uint64_t) { return x >> 63; });
  check({"i32", "__nv_float_as_int", {"float"}},
        [](uint64_t x, uint64_t, uint64_t) { return x; });
  check({"double", "__nv_hiloint2double", {"i32", "i32"}},
        [](uint64_t x, uint64_t y, uint64_t) { return x << 32 | y; });
}

} // namespace
