//===- NDArray.cpp - Arrays that programs run on --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Runtime/NDArray.h"

#include "llvm/Support/ErrorHandling.h"

#include <cstring>
#include <numeric>

using namespace llvm;
using namespace tileir;
using namespace tileir::runtime;

size_t runtime::getElementSize(ElementKind kind) {
  switch (kind) {
  case ElementKind::I1:
  case ElementKind::I8:
  case ElementKind::F8E4M3FN:
  case ElementKind::F8E5M2:
    return 1;
  case ElementKind::I16:
  case ElementKind::F16:
  case ElementKind::BF16:
    return 2;
  case ElementKind::I32:
  case ElementKind::F32:
    return 4;
  case ElementKind::I64:
  case ElementKind::Index:
  case ElementKind::F64:
    return 8;
  }
  llvm_unreachable("unknown element kind");
}

bool runtime::isFloat(ElementKind kind) {
  return isF8(kind) || kind == ElementKind::F16 || kind == ElementKind::BF16 ||
         kind == ElementKind::F32 || kind == ElementKind::F64;
}

bool runtime::isF8(ElementKind kind) {
  return kind == ElementKind::F8E4M3FN || kind == ElementKind::F8E5M2;
}

StringRef runtime::getElementName(ElementKind kind) {
  switch (kind) {
  case ElementKind::I1:
    return "i1";
  case ElementKind::I8:
    return "i8";
  case ElementKind::I16:
    return "i16";
  case ElementKind::I32:
    return "i32";
  case ElementKind::I64:
    return "i64";
  case ElementKind::Index:
    return "index";
  case ElementKind::F8E4M3FN:
    return "f8E4M3FN";
  case ElementKind::F8E5M2:
    return "f8E5M2";
  case ElementKind::F16:
    return "f16";
  case ElementKind::BF16:
    return "bf16";
  case ElementKind::F32:
    return "f32";
  case ElementKind::F64:
    return "f64";
  }
  llvm_unreachable("unknown element kind");
}

std::optional<ElementKind> runtime::getElementKind(mlir::Type type) {
  if (type.isSignlessInteger(1))
    return ElementKind::I1;
  if (type.isSignlessInteger(8))
    return ElementKind::I8;
  if (type.isSignlessInteger(16))
    return ElementKind::I16;
  if (type.isSignlessInteger(32))
    return ElementKind::I32;
  if (type.isSignlessInteger(64))
    return ElementKind::I64;
  if (type.isIndex())
    return ElementKind::Index;
  if (isa<mlir::Float8E4M3FNType>(type))
    return ElementKind::F8E4M3FN;
  if (isa<mlir::Float8E5M2Type>(type))
    return ElementKind::F8E5M2;
  if (type.isF16())
    return ElementKind::F16;
  if (type.isBF16())
    return ElementKind::BF16;
  if (type.isF32())
    return ElementKind::F32;
  if (type.isF64())
    return ElementKind::F64;
  return std::nullopt;
}

std::string runtime::shapeToString(ArrayRef<int64_t> shape, ElementKind kind) {
  std::string text;
  for (int64_t size : shape)
    text += (size < 0 ? std::string("?") : std::to_string(size)) + "x";
  return text + getElementName(kind).str();
}

NDArray::NDArray(ElementKind kind, ArrayRef<int64_t> shape)
    : kind(kind), shape(shape) {
  bytes = AlignedBytes(getNumElements() * getElementSize(kind));
}

int64_t NDArray::getNumElements() const {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1),
                         std::multiplies<int64_t>());
}

const fltSemantics &runtime::getSemantics(ElementKind kind) {
  switch (kind) {
  case ElementKind::F8E4M3FN:
    return APFloat::Float8E4M3FN();
  case ElementKind::F8E5M2:
    return APFloat::Float8E5M2();
  case ElementKind::F16:
    return APFloat::IEEEhalf();
  case ElementKind::BF16:
    return APFloat::BFloat();
  case ElementKind::F32:
    return APFloat::IEEEsingle();
  case ElementKind::F64:
    return APFloat::IEEEdouble();
  default:
    llvm_unreachable("not a float");
  }
}

template <typename T> static T load(const uint8_t *data, int64_t i) {
  T value;
  std::memcpy(&value, data + i * sizeof(T), sizeof(T));
  return value;
}

template <typename T> static void store(uint8_t *data, int64_t i, T value) {
  std::memcpy(data + i * sizeof(T), &value, sizeof(T));
}

double NDArray::getDouble(int64_t i) const {
  switch (kind) {
  case ElementKind::F64:
    return load<double>(bytes.data(), i);
  case ElementKind::F32:
    return load<float>(bytes.data(), i);
  case ElementKind::F8E4M3FN:
  case ElementKind::F8E5M2:
  case ElementKind::F16:
  case ElementKind::BF16: {
    APInt bits = isF8(kind) ? APInt(8, load<uint8_t>(bytes.data(), i))
                            : APInt(16, load<uint16_t>(bytes.data(), i));
    APFloat value(getSemantics(kind), bits);
    bool losesInfo;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return value.convertToDouble();
  }
  default:
    return static_cast<double>(getInteger(i));
  }
}

void NDArray::setDouble(int64_t i, double value) {
  switch (kind) {
  case ElementKind::F64:
    return store<double>(bytes.data(), i, value);
  case ElementKind::F32:
    return store<float>(bytes.data(), i, static_cast<float>(value));
  case ElementKind::F8E4M3FN:
  case ElementKind::F8E5M2:
  case ElementKind::F16:
  case ElementKind::BF16: {
    APFloat rounded(value);
    bool losesInfo;
    rounded.convert(getSemantics(kind), APFloat::rmNearestTiesToEven,
                    &losesInfo);
    uint64_t bits = rounded.bitcastToAPInt().getZExtValue();
    return isF8(kind) ? store<uint8_t>(bytes.data(), i, bits)
                      : store<uint16_t>(bytes.data(), i, bits);
  }
  default:
    llvm_unreachable("setDouble on integers");
  }
}

int64_t NDArray::getInteger(int64_t i) const {
  switch (kind) {
  case ElementKind::I1:
    return load<uint8_t>(bytes.data(), i) != 0;
  case ElementKind::I8:
    return load<int8_t>(bytes.data(), i);
  case ElementKind::I16:
    return load<int16_t>(bytes.data(), i);
  case ElementKind::I32:
    return load<int32_t>(bytes.data(), i);
  case ElementKind::I64:
  case ElementKind::Index:
    return load<int64_t>(bytes.data(), i);
  default:
    llvm_unreachable("getInteger on floats");
  }
}

void NDArray::setInteger(int64_t i, int64_t value) {
  switch (kind) {
  case ElementKind::I1:
    return store<uint8_t>(bytes.data(), i, value & 1);
  case ElementKind::I8:
    return store<int8_t>(bytes.data(), i, value);
  case ElementKind::I16:
    return store<int16_t>(bytes.data(), i, value);
  case ElementKind::I32:
    return store<int32_t>(bytes.data(), i, value);
  case ElementKind::I64:
  case ElementKind::Index:
    return store<int64_t>(bytes.data(), i, value);
  default:
    llvm_unreachable("setInteger on floats");
  }
}

SmallVector<int64_t> NDArray::getCoordinates(int64_t i) const {
  SmallVector<int64_t> coordinates(shape.size());
  for (size_t axis = shape.size(); axis-- > 0;) {
    coordinates[axis] = i % shape[axis];
    i /= shape[axis];
  }
  return coordinates;
}
