//===- EinsumSum.cpp - The sums of a contraction --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes a contraction by its definition: for each point of the result, the
// sum over the reduced indices, the last innermost, of the operands' product
// from left to right, in the accumulator type and from 0, rounded once at the
// end. Result points are shared by threads; no sum is split between two, and
// the error that is reported is that of the first point (of the first block of
// reduced points, where these are so many that they are taken in blocks).
//
//===----------------------------------------------------------------------===//

#include "Einsum/Einsum.h"

#include "llvm/Support/Threading.h"

#include <atomic>
#include <mutex>
#include <thread>

// Products are rounded before they are added.
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;
using namespace tileir::runtime;

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

namespace {
/// A number of a 16-bit float type, each operation on which is rounded.
template <ElementKind kind> struct Narrow {
  double value = 0;
  friend Narrow operator*(Narrow left, Narrow right) {
    return {roundTo(kind, left.value * right.value)};
  }
  friend Narrow operator+(Narrow left, Narrow right) {
    return {roundTo(kind, left.value + right.value)};
  }
};
} // namespace

// Conversions between accumulators and elements. Unsigned arithmetic is that of
// i32 modulo 2^32.
static void convert(Scalar from, uint32_t &to) { to = from.bits; }
static void convert(Scalar from, float &to) { to = toDouble(from); }
static void convert(Scalar from, double &to) { to = toDouble(from); }
template <ElementKind kind> static void convert(Scalar from, Narrow<kind> &to) {
  to.value = toDouble(from);
}

// The number that leaves every other one as it is when added, -0 included.
static uint32_t getNegativeZero(uint32_t) { return 0; }
static float getNegativeZero(float) { return -0.0f; }
static double getNegativeZero(double) { return -0.0; }
template <ElementKind kind> static Narrow<kind> getNegativeZero(Narrow<kind>) {
  return {-0.0};
}

static Scalar convert(uint32_t from, ElementKind to) {
  return makeInteger(to, from);
}
static Scalar convert(double from, ElementKind to) {
  return makeFloat(to, from);
}
template <ElementKind kind>
static Scalar convert(Narrow<kind> from, ElementKind to) {
  return makeFloat(to, from.value);
}

//===----------------------------------------------------------------------===//
// The space
//===----------------------------------------------------------------------===//

/// So many reduced points are tabulated at once.
static constexpr int64_t kMaxReducedBlock = 1 << 20;
/// A thread takes rows of so many points at a time: well above the cost of
/// taking them, well below a second.
static constexpr int64_t kPointsAtOnce = 1 << 18;

namespace {
template <typename T> class Contractor {
public:
  Contractor(const Contraction &contraction, const Array &output)
      : contraction(contraction), output(output), axes(contraction) {}

  LogicalResult run(const InterpreterOptions &options);

private:
  void loadInputs();
  void runBlock(llvm::function_ref<void(int64_t)> afterRows);
  void runRows(int64_t first, int64_t last);
  std::optional<PointError> runRow(int64_t row);
  std::optional<PointError> addChecked(int64_t row, ArrayRef<int64_t> bases);
  void addInside(int64_t row, ArrayRef<int64_t> bases);
  void report(int64_t row, PointError error);

  const Contraction &contraction;
  const Array &output;
  AxisTable axes;
  std::vector<std::vector<T>> inputs; // dense, in the accumulator type
  std::vector<T> sums;
  int64_t numRows = 0;                      // a row is a point of the result
  int64_t firstReduced = 0, numReduced = 0; // what the axes are tabulated for

  std::mutex mutex; // of the two that follow
  std::optional<PointError> error;
  std::atomic<int64_t> errorRow{std::numeric_limits<int64_t>::max()};
};
} // namespace

template <typename T>
LogicalResult Contractor<T>::run(const InterpreterOptions &options) {
  auto rows = getProduct(contraction.getResultSizes());
  auto reduced = getProduct(contraction.getReducedSizes());
  if (!rows || !reduced || !getProduct(contraction.sizes))
    return contraction.op->emitError("has more than 2^63 points");
  numRows = *rows;
  loadInputs();
  // Sums begin at 0; a sum of one product over no indices is that product,
  // which the addition of -0 keeps even if it is -0 itself.
  bool isSum = !contraction.getReducedSizes().empty();
  sums.resize(numRows, isSum ? T{} : getNegativeZero(T{}));

  ProgressMeter progress(options, "einsum.contract");
  for (; numRows > 0 && firstReduced < *reduced; firstReduced += numReduced) {
    numReduced = std::min(*reduced - firstReduced, kMaxReducedBlock);
    if (auto axisError = axes.tabulate(firstReduced, numReduced))
      return emitPointError(contraction, *axisError);
    runBlock([&](int64_t row) {
      progress.update((firstReduced + double(row) / numRows * numReduced) /
                      *reduced);
    });
    if (error)
      return emitPointError(contraction, *error);
  }

  int64_t row = 0;
  forEachIndex(output.shape, [&](ArrayRef<int64_t> index) {
    output.write(output.getPosition(index), convert(sums[row++], output.kind));
    return true;
  });
  return success();
}

template <typename T> void Contractor<T>::loadInputs() {
  [[maybe_unused]] bool isTF32 = einsum::ContractOp(contraction.op).isTF32();
  for (const Array &input : contraction.inputs) {
    std::vector<T> &values = inputs.emplace_back();
    values.reserve(input.getNumElements());
    forEachIndex(input.shape, [&](ArrayRef<int64_t> index) {
      T &value = values.emplace_back();
      convert(input.read(input.getPosition(index)), value);
      if constexpr (std::is_same_v<T, float>)
        if (isTF32)
          value = roundToTF32(value);
      return true;
    });
  }
}

/// Adds the products of the tabulated reduced points to all sums. This thread
/// calls `afterRows` now and then.
template <typename T>
void Contractor<T>::runBlock(llvm::function_ref<void(int64_t)> afterRows) {
  int64_t rowsAtOnce = std::max<int64_t>(kPointsAtOnce / numReduced, 1);
  std::atomic<int64_t> nextRow{0};
  // Rows are taken in order, so that all before the first error are done.
  auto work = [&](llvm::function_ref<void(int64_t)> afterRows) {
    int64_t row;
    while ((row = nextRow.fetch_add(rowsAtOnce)) <
           std::min(numRows, errorRow.load())) {
      runRows(row, std::min(row + rowsAtOnce, numRows));
      afterRows(row);
    }
  };
  std::vector<std::thread> helpers;
  if (numRows > rowsAtOnce)
    for (unsigned i = 1;
         i < llvm::hardware_concurrency().compute_thread_count(); ++i)
      helpers.emplace_back(work, [](int64_t) {});
  work(afterRows);
  for (std::thread &helper : helpers)
    helper.join();
}

template <typename T> void Contractor<T>::runRows(int64_t first, int64_t last) {
  for (int64_t row = first; row < last; ++row)
    if (auto error = runRow(row))
      return report(row, std::move(*error));
}

template <typename T>
void Contractor<T>::report(int64_t row, PointError newError) {
  std::lock_guard<std::mutex> lock(mutex);
  if (row >= errorRow)
    return;
  errorRow = row;
  error = std::move(newError);
}

/// Adds the products of the tabulated reduced points to the sum of `row`.
template <typename T>
std::optional<PointError> Contractor<T>::runRow(int64_t row) {
  SmallVector<int64_t, 16> bases(axes.getAxes().size());
  if (auto error = axes.getBases(row, bases))
    return error;
  bool isInside = llvm::all_of(
      llvm::zip_equal(axes.getAxes(), bases), [](const auto &pair) {
        const auto &[axis, base] = pair;
        return base + axis.minAddend >= 0 && base + axis.maxAddend < axis.size;
      });
  if (!isInside)
    return addChecked(row, bases);
  addInside(row, bases);
  return std::nullopt;
}

/// All reads are inside: an element is at the sum of base and offset.
template <typename T>
void Contractor<T>::addInside(int64_t row, ArrayRef<int64_t> bases) {
  SmallVector<const T *, 4> values;
  SmallVector<const int64_t *, 4> offsets;
  for (unsigned operand = 0; operand < inputs.size(); ++operand) {
    int64_t base = 0;
    for (unsigned axis = axes.getFirstAxis(operand);
         axis < axes.getFirstAxis(operand + 1); ++axis)
      base += bases[axis] * axes.getAxes()[axis].stride;
    values.push_back(inputs[operand].data() + base);
    offsets.push_back(axes.getOffsets(operand).data());
  }
  T sum = sums[row];
  int64_t count = numReduced;
  if (inputs.size() == 1) {
    for (int64_t r = 0; r < count; ++r)
      sum = sum + values[0][offsets[0][r]];
  } else if (inputs.size() == 2) {
    const T *left = values[0], *right = values[1];
    const int64_t *leftOffset = offsets[0], *rightOffset = offsets[1];
    for (int64_t r = 0; r < count; ++r)
      sum = sum + left[leftOffset[r]] * right[rightOffset[r]];
  } else {
    for (int64_t r = 0; r < count; ++r) {
      T product = values[0][offsets[0][r]];
      for (unsigned operand = 1; operand < values.size(); ++operand)
        product = product * values[operand][offsets[operand][r]];
      sum = sum + product;
    }
  }
  sums[row] = sum;
}

/// Some read is outside: checks each axis of each.
template <typename T>
std::optional<PointError> Contractor<T>::addChecked(int64_t row,
                                                    ArrayRef<int64_t> bases) {
  bool isPadded = einsum::ContractOp(contraction.op).isPadded();
  T sum = sums[row];
  for (int64_t r = 0; r < numReduced; ++r) {
    T product{};
    for (unsigned operand = 0; operand < inputs.size(); ++operand) {
      bool isInside = true;
      int64_t position = 0;
      for (unsigned i = axes.getFirstAxis(operand);
           i < axes.getFirstAxis(operand + 1); ++i) {
        const AxisTable::Axis &axis = axes.getAxes()[i];
        int64_t index = bases[i] + axis.addends[r];
        if (index >= 0 && index < axis.size) {
          position += index * axis.stride;
          continue;
        }
        if (!isPadded)
          return PointError{operand, axis.position,
                            axes.getIndices(row, firstReduced + r), index, ""};
        isInside = false;
      }
      T value = isInside ? inputs[operand][position] : T{};
      product = operand == 0 ? value : product * value;
    }
    sum = sum + product;
  }
  sums[row] = sum;
  return std::nullopt;
}

LogicalResult interp::computeSums(const Contraction &contraction,
                                  const Array &output, ElementKind accumulator,
                                  const InterpreterOptions &options) {
  auto compute = [&](auto zero) {
    return Contractor<decltype(zero)>(contraction, output).run(options);
  };
  switch (accumulator) {
  case ElementKind::F16:
    return compute(Narrow<ElementKind::F16>());
  case ElementKind::BF16:
    return compute(Narrow<ElementKind::BF16>());
  case ElementKind::F32:
    return compute(float());
  case ElementKind::F64:
    return compute(double());
  default:
    return compute(uint32_t());
  }
}
