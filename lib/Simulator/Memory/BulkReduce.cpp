//===- BulkReduce.cpp -----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements in global memory are combined by compare-and-exchange of the host,
// as other host threads run other blocks.
//
//===----------------------------------------------------------------------===//

#include "Memory/BulkReduce.h"

#include "llvm/ADT/APFloat.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

using namespace tileir::sim;
using llvm::APFloat;

static const llvm::fltSemantics &getSemantics(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return APFloat::IEEEhalf();
  case ElementType::BF16:
    return APFloat::BFloat();
  case ElementType::F64:
    return APFloat::IEEEdouble();
  default:
    return APFloat::IEEEsingle();
  }
}

/// Of a number and a NaN, the number.
static uint64_t combineFloats(AtomicOp operation, ElementType type,
                              uint64_t old, uint64_t x) {
  const llvm::fltSemantics &semantics = getSemantics(type);
  const unsigned bits = APFloat::getSizeInBits(semantics);
  APFloat a(semantics, llvm::APInt(bits, old));
  APFloat b(semantics, llvm::APInt(bits, x));
  if (operation == AtomicOp::SMin)
    a = llvm::minnum(a, b);
  else if (operation == AtomicOp::SMax)
    a = llvm::maxnum(a, b);
  else
    a.add(b, APFloat::rmNearestTiesToEven);
  return a.bitcastToAPInt().getZExtValue();
}

template <typename T>
static T combineIntegers(AtomicOp operation, bool isSigned, T old, T x) {
  using S = std::make_signed_t<T>;
  auto isLess = [&](T a, T b) { return isSigned ? S(a) < S(b) : a < b; };
  switch (operation) {
  case AtomicOp::SMin:
    return isLess(x, old) ? x : old;
  case AtomicOp::SMax:
    return isLess(old, x) ? x : old;
  case AtomicOp::Inc:
    return old >= x ? 0 : old + 1;
  case AtomicOp::Dec:
    return old == 0 || old > x ? x : old - 1;
  case AtomicOp::And:
    return old & x;
  case AtomicOp::Or:
    return old | x;
  case AtomicOp::Xor:
    return old ^ x;
  default:
    return old + x;
  }
}

template <typename T>
static void reduce(AtomicOp operation, ElementType type, bool isSigned,
                   uint64_t address, const uint8_t *from, uint32_t bytes) {
  const bool isFloat = type != ElementType::I32 && type != ElementType::I64;
  for (uint32_t i = 0; i + sizeof(T) <= bytes; i += sizeof(T)) {
    T x, *at = reinterpret_cast<T *>(address + i);
    std::memcpy(&x, from + i, sizeof(T));
    T old = __atomic_load_n(at, __ATOMIC_RELAXED), next;
    do
      next = isFloat ? T(combineFloats(operation, type, old, x))
                     : combineIntegers(operation, isSigned, old, x);
    while (!__atomic_compare_exchange_n(at, &old, next, /*weak=*/true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  }
}

void tileir::sim::reduceGlobal(AtomicOp operation, ElementType type,
                               bool isSigned, uint64_t address,
                               const uint8_t *from, uint32_t bytes) {
  switch (type) {
  case ElementType::F16:
  case ElementType::BF16:
    return reduce<uint16_t>(operation, type, isSigned, address, from, bytes);
  case ElementType::I64:
  case ElementType::F64:
    return reduce<uint64_t>(operation, type, isSigned, address, from, bytes);
  default:
    return reduce<uint32_t>(operation, type, isSigned, address, from, bytes);
  }
}
