//===- SimulatorEvaluate.h --------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs one function of scalars in a kernel, on many operands, against an
// expectation; numbers travel as their bits in 64-bit words.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TEST_UNIT_SIMULATOR_SIMULATOREVALUATE_H
#define TILEIR_TEST_UNIT_SIMULATOR_SIMULATOREVALUATE_H

#include "SimulatorRun.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <functional>
#include <limits>
#include <random>

namespace tileir::sim::test {

using Words = std::vector<uint64_t>;

inline unsigned bitsOf(const std::string &type) {
  if (type == "half" || type == "bfloat")
    return 16;
  if (type == "float")
    return 32;
  if (type == "double" || type == "ptr")
    return 64;
  return unsigned(std::stoul(type.substr(1))); // iN
}
inline bool isFloat(const std::string &type) {
  return type == "half" || type == "bfloat" || type == "float" ||
         type == "double";
}
/// "f16": how names of overloaded intrinsics spell a type.
inline std::string suffixOf(const std::string &type) {
  return type == "half"     ? "f16"
         : type == "bfloat" ? "bf16"
         : type == "float"  ? "f32"
         : type == "double" ? "f64"
                            : type;
}
inline const llvm::fltSemantics &semanticsOf(const std::string &type) {
  return type == "half"     ? llvm::APFloat::IEEEhalf()
         : type == "bfloat" ? llvm::APFloat::BFloat()
         : type == "float"  ? llvm::APFloat::IEEEsingle()
                            : llvm::APFloat::IEEEdouble();
}

inline uint64_t lowBits(uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((uint64_t(1) << bits) - 1);
}
inline int64_t signExtend(uint64_t value, unsigned bits) {
  return int64_t(value << (64 - bits)) >> (64 - bits);
}

/// Nearest even.
inline uint64_t encode(const std::string &type, double value) {
  llvm::APFloat result(value);
  bool losesInfo;
  result.convert(semanticsOf(type), llvm::APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return result.bitcastToAPInt().getZExtValue();
}
inline double decode(const std::string &type, uint64_t bits) {
  llvm::APFloat value(semanticsOf(type), llvm::APInt(bitsOf(type), bits));
  bool losesInfo;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

/// Operands of a type: the edges, then random ones.
inline Words makeOperands(const std::string &type, unsigned seed,
                          unsigned count = 96) {
  std::mt19937_64 random(seed);
  Words words;
  unsigned bits = bitsOf(type);
  if (isFloat(type)) {
    const double inf = std::numeric_limits<double>::infinity();
    for (double x : {0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -2.5, 2.5, 3.0, inf,
                     -inf, double(NAN), 1e-40, -3e-6, 65504.0,
                     // Between two numbers of a narrower type.
                     1 + 0x1p-11, 1 + 0x3p-11, 1 + 0x1p-8, 1 + 0x3p-8})
      words.push_back(encode(type, x));
    std::uniform_real_distribution<double> uniform(-8, 8);
    while (words.size() < count)
      words.push_back(encode(type, uniform(random)));
  } else {
    for (uint64_t x : {0, 1, 2, 3, -1, -2, 7, 255, 128, 127})
      words.push_back(lowBits(x, bits));
    words.push_back(uint64_t(1) << (bits - 1));
    words.push_back((uint64_t(1) << (bits - 1)) - 1);
    while (words.size() < count)
      words.push_back(lowBits(random() >> (random() % 64), bits));
  }
  // Each operand meets the edges of the others in another order.
  std::shuffle(words.begin(), words.end(), random);
  return words;
}

/// A function of IR under test.
struct Function {
  std::string result, name;
  std::vector<std::string> operands;
  std::string extra = ""; ///< ", i1 false": more arguments, immediates
};

/// out[i] = function(x[i], y[i], z[i])
inline std::string makeKernel(const Function &f) {
  static const char *const names[] = {"x", "y", "z", "w"};
  std::string declared, passed, loads;
  for (unsigned i = 0; i < f.operands.size(); ++i) {
    std::string n = names[i], type = f.operands[i];
    declared += (i ? ", " : "") + type;
    passed += (i ? ", " : "") + type + " %" + n;
    loads += "  %p" + n + " = getelementptr i64, ptr addrspace(1) %a" + n +
             ", i64 %i\n  %" + n + " = load " + type + ", ptr addrspace(1) %p" +
             n + ", align 8\n";
  }
  std::string extraTypes = f.extra;
  for (size_t at; (at = extraTypes.find_last_of(' ')) != std::string::npos &&
                  at > 1;) // drops the value behind each type
    extraTypes.resize(at);
  return "target triple = \"nvptx64-nvidia-cuda\"\n"
         "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
         "declare " +
         f.result + " @" + f.name + "(" + declared + extraTypes +
         ")\n"
         "define ptx_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) "
         "%ax, ptr addrspace(1) %ay, ptr addrspace(1) %az, ptr addrspace(1) "
         "%aw) {\n"
         "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
         "  %i = zext i32 %t to i64\n" +
         loads + "  %r = call " + f.result + " @" + f.name + "(" + passed +
         f.extra +
         ")\n"
         "  %pr = getelementptr i64, ptr addrspace(1) %out, i64 %i\n"
         "  store " +
         f.result +
         " %r, ptr addrspace(1) %pr, align 8\n"
         "  ret void\n}\n";
}

using Expected = std::function<uint64_t(uint64_t, uint64_t, uint64_t)>;

/// How far two numbers of a type are apart, in units of the last place.
inline double ulpsBetween(const std::string &type, uint64_t found,
                          uint64_t expected) {
  double a = decode(type, found), b = decode(type, expected);
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) == std::isnan(b) ? 0 : INFINITY;
  unsigned bits = bitsOf(type);
  auto order = [&](uint64_t x) { // the place among all numbers
    int64_t value = int64_t(lowBits(x, bits - 1));
    return x >> (bits - 1) & 1 ? -value : value;
  };
  if (found != expected && a == 0 && b == 0)
    return 0.5; // zeros of other signs
  return std::fabs(double(order(found)) - double(order(expected)));
}

/// Runs `f` on operands of its types and compares: integers exactly, floats
/// within `ulps`; with and without the optimizer.
inline void check(const Function &f, const Expected &expected,
                  double ulps = 0) {
  for (bool optimize : {false, true}) {
    std::vector<Words> arrays(5);
    constexpr unsigned kCount = 96;
    arrays[0].assign(kCount, 0);
    for (unsigned i = 0; i < 4; ++i)
      arrays[i + 1] = makeOperands(
          i < f.operands.size() ? f.operands[i] : "i32", 17 + i, kCount);
    RunOptions options;
    options.block = {kCount, 1, 1};
    options.simulator.threads = 1;
    options.simulator.optimize = optimize;
    RunResult result = run(makeKernel(f), arrays, options);
    ASSERT_EQ(result.error, "") << f.name;
    ASSERT_EQ(result.text(), "") << f.name;
    for (unsigned i = 0; i < kCount; ++i) {
      uint64_t x = arrays[1][i], y = arrays[2][i], z = arrays[3][i];
      uint64_t want = expected(x, y, z), found = arrays[0][i];
      bool isClose = isFloat(f.result)
                         ? ulpsBetween(f.result, found, want) <= ulps
                         : found == want;
      ASSERT_TRUE(isClose) << f.name << (optimize ? ", optimized" : "")
                           << std::hex << ": of " << x << ", " << y << ", " << z
                           << " expected " << want << ", found " << found;
    }
  }
}

const char *const kFloatTypes[] = {"half", "bfloat", "float", "double"};

using Unary = double (*)(double);
using Binary = double (*)(double, double);

inline Expected unary(const std::string &type, Unary f) {
  return [=](uint64_t x, uint64_t, uint64_t) {
    return encode(type, f(decode(type, x)));
  };
}
inline Expected binary(const std::string &type, Binary f) {
  return [=](uint64_t x, uint64_t y, uint64_t) {
    return encode(type, f(decode(type, x), decode(type, y)));
  };
}

/// Zero of its sign in place of a subnormal number of a type.
inline uint64_t flushBits(const std::string &type, uint64_t bits) {
  llvm::APFloat x(semanticsOf(type), llvm::APInt(bitsOf(type), bits));
  return x.isDenormal() ? bits & uint64_t(1) << (bitsOf(type) - 1) : bits;
}
/// `f` with operands and result flushed, if `flushes`: .ftz.
inline Expected flushed(bool flushes, const std::string &type, Expected f) {
  if (!flushes)
    return f;
  return [=](uint64_t x, uint64_t y, uint64_t z) {
    return flushBits(type, f(flushBits(type, x), flushBits(type, y), z));
  };
}

inline double minimum(double x, double y) {
  if (std::isnan(x) || std::isnan(y))
    return NAN;
  return x == y ? (std::signbit(x) ? x : y) : x < y ? x : y;
}
inline double maximum(double x, double y) { return -minimum(-x, -y); }
inline double minNumber(double x, double y) { // -0 < +0
  return std::isnan(x) ? y : std::isnan(y) ? x : minimum(x, y);
}
inline double maxNumber(double x, double y) { return -minNumber(-x, -y); }

/// The nearest integer toward zero that an integer type holds; NaN gives 0.
inline uint64_t saturateTo(double x, unsigned bits, bool isSigned) {
  long double low = isSigned ? -std::pow(2.0L, bits - 1) : 0;
  long double high = std::pow(2.0L, bits - isSigned) - 1;
  if (std::isnan(x))
    return 0;
  long double cut = std::trunc((long double)x);
  cut = std::min(std::max(cut, low), high);
  return lowBits(cut < 0 ? uint64_t(int64_t(cut)) : uint64_t(cut), bits);
}

/// The same as PTX's cvt does it: NaN gives the highest bit where one of both
/// types has 64 bits.
inline uint64_t convertTo(double x, const std::string &from, unsigned bits,
                          bool isSigned) {
  if (std::isnan(x) && (bitsOf(from) == 64 || bits == 64))
    return uint64_t(1) << (bits - 1);
  return saturateTo(x, bits, isSigned);
}

} // namespace tileir::sim::test

#endif // TILEIR_TEST_UNIT_SIMULATOR_SIMULATOREVALUATE_H
