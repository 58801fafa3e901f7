//===- FunctionText.cpp - The function of an operation as text ------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A contraction alone is one op on memrefs:
//
//   einsum.contract "mk, kn -> mn" (%in0, %in1) outs(%out : ...)
//
// What is done at first and last touch stands with it in an einsum.kernel, on
// tensors that are what memrefs hold:
//
//   %t0 = bufferization.to_tensor %in0 restrict
//   %r = einsum.kernel (%a = %t0, ...) { contraction, bias, relu }
//   bufferization.materialize_in_destination %r in restrict writable %out
//
// Contractions of many operands, and padded ones, stand by themselves on
// tensors with what follows them: passes make kernels of them.
//
// In a kernel everything is computed in the type in which sums are formed and
// is rounded once, at the end.
//
//===----------------------------------------------------------------------===//

#include "FunctionText.h"

#include "Module.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tileir;

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

void LetterLayout::add(char letter, int64_t size, int64_t stride) {
  letters.push_back(letter);
  sizes.push_back(size);
  strides.push_back(stride);
}

void LetterLayout::finish() {
  SmallVector<size_t> order = to_vector(seq<size_t>(0, letters.size()));
  stable_sort(order, [&](size_t a, size_t b) {
    auto rank = [&](size_t axis) {
      return sizes[axis] == 1 ? std::numeric_limits<int64_t>::max()
                              : strides[axis];
    };
    return rank(a) > rank(b);
  });
  LetterLayout sorted;
  for (size_t axis : order)
    sorted.add(letters[axis], sizes[axis], strides[axis]);
  int64_t extent = 1;
  for (size_t axis = order.size(); axis-- > 0;) {
    if (sorted.sizes[axis] == 1)
      sorted.strides[axis] = extent;
    extent = sorted.sizes[axis] * sorted.strides[axis];
  }
  *this = std::move(sorted);
}

bool LetterLayout::isDense() const {
  int64_t expected = 1;
  for (size_t axis = letters.size(); axis-- > 0; expected *= sizes[axis])
    if (strides[axis] != expected)
      return false;
  return true;
}

int64_t LetterLayout::getExtent() const {
  int64_t extent = 1;
  for (auto [size, stride] : zip(sizes, strides))
    extent += (size - 1) * stride;
  return extent;
}

std::string LetterLayout::getTerm() const {
  if (isDense())
    return std::string(letters.begin(), letters.end());
  std::string term;
  for (auto [letter, stride] : zip(letters, strides)) {
    term += term.empty() ? "(" : " + ";
    if (stride != 1)
      term += std::to_string(stride) + "*";
    term += letter;
  }
  return term + ")";
}

static std::string joinShape(ArrayRef<int64_t> sizes) {
  std::string shape;
  for (int64_t size : sizes)
    shape += std::to_string(size) + "x";
  return shape;
}

std::string LetterLayout::getFlatShape() const {
  return isDense() ? joinShape(sizes) : joinShape(getExtent());
}

std::string LetterLayout::getShape() const { return joinShape(sizes); }

std::string LetterLayout::getStrides() const {
  if (isDense())
    return "";
  std::string text;
  raw_string_ostream os(text);
  os << ", strided<[";
  interleaveComma(strides, os);
  os << "]>";
  return text;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static StringRef getElement(OperationType type) {
  switch (type) {
  case OperationType::F32:
    return "f32";
  case OperationType::F64:
    return "f64";
  case OperationType::F16:
    return "f16";
  case OperationType::BF16:
    return "bf16";
  case OperationType::I32:
    return "i32";
  case OperationType::I8:
    return "i8";
  }
  llvm_unreachable("unknown type");
}

static bool isFloat(OperationType type) {
  return type != OperationType::I32 && type != OperationType::I8;
}

static OperationType getAccumulator(OperationType type) {
  return !isNarrow(type)             ? type
         : type == OperationType::I8 ? OperationType::I32
                                     : OperationType::F32;
}

static StringRef getCombineOp(Primitive primitive, bool isFloat) {
  switch (primitive) {
  case Primitive::Add:
    return isFloat ? "arith.addf" : "arith.addi";
  case Primitive::Sub:
    return isFloat ? "arith.subf" : "arith.subi";
  case Primitive::Mul:
    return isFloat ? "arith.mulf" : "arith.muli";
  case Primitive::Div:
    return "arith.divf";
  case Primitive::Min:
    return isFloat ? "arith.minimumf" : "arith.minsi";
  case Primitive::Max:
    return isFloat ? "arith.maximumf" : "arith.maxsi";
  default:
    llvm_unreachable("not a primitive of two operands");
  }
}

namespace {
/// Prints one function.
class Printer {
public:
  Printer(const FunctionText &function, raw_ostream &os)
      : function(function), os(os), element(getElement(function.type)),
        accumulator(getElement(getAccumulator(function.type))),
        floats(isFloat(function.type)), shape(function.output.getShape()) {}

  void print() {
    printSignature();
    if (function.isFused() || function.isPlain)
      printFused();
    else
      printContraction();
    os << "  return\n}\n";
  }

private:
  void printSignature();
  void printContraction();
  void printContractionOp(StringRef result, StringRef name);
  void printFused();
  std::string printBody();
  std::string spread(StringRef value);
  std::string widen(StringRef value);
  std::string apply(StringRef op, StringRef lhs, StringRef rhs);

  std::string getOutput() const {
    return formatv("memref<{0}{1}{2}>", shape, element,
                   function.output.getStrides());
  }
  std::string getOther() const {
    return formatv("{0}{1}", function.other.getShape(), element);
  }
  std::string getFresh() { return formatv("%v{0}", numValues++); }
  bool hasOther() const {
    return function.combine != Primitive::None || function.bias;
  }

  const FunctionText &function;
  raw_ostream &os;
  StringRef element, accumulator;
  bool floats;
  std::string shape;
  unsigned numValues = 0;
};
} // namespace

void Printer::printSignature() {
  os << "func.func @" << kEntry << "(";
  std::string other = "%other: memref<" + getOther() +
                      function.other.getStrides() + "> {llvm.noalias}, ";
  if (function.isLeft)
    os << other;
  for (auto [i, operand] : enumerate(function.operands))
    os << "%in" << i << ": memref<" << operand.memref << "> {llvm.noalias}, ";
  for (auto &[name, type] : function.tables)
    os << "%t_" << name << ": memref<" << type << "> {llvm.noalias}, ";
  if (hasOther() && !function.isLeft)
    os << other;
  os << "%out: " << getOutput() << " {llvm.noalias}) {\n";
}

/// `name` is the prefix of the operands.
void Printer::printContractionOp(StringRef result, StringRef name) {
  bool onTensors = !result.empty();
  os << "  ";
  if (onTensors)
    os << result << " = ";
  os << "einsum.contract \"" << function.spec << "\" (";
  interleaveComma(seq<size_t>(0, function.operands.size()), os,
                  [&](size_t i) { os << name << i; });
  os << ")";
  if (!function.tables.empty()) {
    os << " tables(";
    interleaveComma(function.tables, os, [&](auto &table) {
      os << table.first << " = " << (onTensors ? "%u_" : "%t_") << table.first
         << " : " << (onTensors ? "tensor<" : "memref<") << table.second << ">";
    });
    os << ")";
  }
  if (!onTensors)
    os << " outs(%out : " << getOutput() << ")";
  os << " " << function.attributes << " : (";
  interleaveComma(function.operands, os, [&](const FunctionInput &operand) {
    if (onTensors)
      os << "tensor<" << operand.tensor << ">";
    else
      os << "memref<" << operand.memref << ">";
  });
  os << ")";
  if (onTensors)
    os << " -> tensor<" << shape << accumulator << ">";
  os << "\n";
}

void Printer::printContraction() { printContractionOp("", "%in"); }

void Printer::printFused() {
  SmallVector<std::string> arguments;
  auto addTensor = [&](const std::string &value, const std::string &argument,
                       const std::string &memref, const std::string &type) {
    // What stands in a kernel has a name of its own there.
    std::string tensor = function.isPlain ? argument : getFresh();
    os << "  " << tensor << " = bufferization.to_tensor " << value
       << " restrict : memref<" << memref << "> to tensor<" << type << ">\n";
    arguments.push_back(
        formatv("{0} = {1} : tensor<{2}>", argument, tensor, type));
  };
  for (auto [i, operand] : enumerate(function.operands))
    addTensor(formatv("%in{0}", i), formatv("%a{0}", i), operand.memref,
              operand.tensor);
  for (auto &[name, type] : function.tables)
    addTensor("%t_" + name, "%u_" + name, type, type);
  if (hasOther())
    addTensor("%other", "%b", getOther() + function.other.getStrides(),
              getOther());
  std::string type = formatv("{0}{1}", shape, element);
  if (function.load)
    addTensor("%out", "%c", type + function.output.getStrides(), type);
  std::string result = "%result";
  if (function.isPlain) {
    result = printBody();
  } else {
    os << "  %result = einsum.kernel (" << join(arguments, ", ")
       << ") -> tensor<" << type << "> {\n";
    std::string value = printBody();
    os << "  einsum.yield " << value << " : tensor<" << type << ">\n  }\n";
  }
  os << "  bufferization.materialize_in_destination " << result
     << " in restrict writable %out : (tensor<" << type << ">, " << getOutput()
     << ") -> ()\n";
}

/// `value`, of the shape of the other operand, in that of the result.
std::string Printer::spread(StringRef value) {
  ArrayRef<char> from = function.other.letters, to = function.output.letters;
  if (from == to)
    return value.str();
  auto getLoop = [&](char letter) {
    return "d" + std::to_string(find(to, letter) - to.begin());
  };
  std::string loops, operand, iterators;
  for (char letter : to) {
    loops += (loops.empty() ? "" : ", ") + getLoop(letter);
    iterators += iterators.empty() ? "\"parallel\"" : ", \"parallel\"";
  }
  for (char letter : from)
    operand += (operand.empty() ? "" : ", ") + getLoop(letter);
  std::string empty = getFresh(), result = getFresh();
  os << formatv(
      "  {0} = tensor.empty() : tensor<{1}{2}>\n"
      "  {3} = linalg.generic {{indexing_maps = [affine_map<({4}) -> ({5})>, "
      "affine_map<({4}) -> ({4})>], iterator_types = [{6}]} ins({7} : "
      "tensor<{8}>) outs({0} : tensor<{1}{2}>) {{\n  ^bb0(%x: {2}, %y: {2}):\n"
      "    linalg.yield %x : {2}\n  } -> tensor<{1}{2}>\n",
      empty, shape, element, result, loops, operand, iterators, value,
      getOther());
  return result;
}

/// `value`, of the shape of the result, in the type of sums.
std::string Printer::widen(StringRef value) {
  if (element == accumulator)
    return value.str();
  std::string result = getFresh();
  os << formatv("  {0} = {1} {2} : tensor<{3}{4}> to tensor<{3}{5}>\n", result,
                floats ? "arith.extf" : "arith.extsi", value, shape, element,
                accumulator);
  return result;
}

std::string Printer::apply(StringRef op, StringRef lhs, StringRef rhs) {
  std::string result = getFresh();
  os << formatv("  {0} = {1} {2}, {3} : tensor<{4}{5}>\n", result, op, lhs, rhs,
                shape, accumulator);
  return result;
}

/// Prints the contraction and what follows it. Returns the result.
std::string Printer::printBody() {
  std::string value = "%product";
  printContractionOp(value, "%a");
  StringRef add = getCombineOp(Primitive::Add, floats);
  if (function.combine != Primitive::None) {
    std::string other = widen(spread("%b"));
    StringRef op = getCombineOp(function.combine, floats);
    value = function.isLeft ? apply(op, other, value) : apply(op, value, other);
  }
  if (function.load)
    value = apply(add, value, widen("%c"));
  if (function.bias)
    value = apply(add, value, widen(spread("%b")));
  if (function.relu) {
    os << formatv("  %zero = arith.constant dense<{0}> : tensor<{1}{2}>\n",
                  floats ? "0.0" : "0", shape, accumulator);
    if (floats) {
      // One instruction, whereas maximumf asks what a NaN is. 0 where a value
      // is less, so that a NaN stays.
      std::string result = getFresh();
      os << formatv("  %negative = arith.cmpf ogt, %zero, {0} : "
                    "tensor<{1}{2}>\n  {3} = arith.select %negative, %zero, "
                    "{0} : tensor<{1}i1>, tensor<{1}{2}>\n",
                    value, shape, accumulator, result);
      value = result;
    } else {
      value = apply("arith.maxsi", value, "%zero");
    }
  }
  if (element != accumulator) {
    std::string result = getFresh();
    os << formatv("  {0} = {1} {2} : tensor<{3}{4}> to tensor<{3}{5}>\n",
                  result, floats ? "arith.truncf" : "arith.trunci", value,
                  shape, accumulator, element);
    value = result;
  }
  return value;
}

StringRef FunctionText::getElementName() const { return getElement(type); }

std::string FunctionText::print() const {
  std::string text;
  raw_string_ostream os(text);
  Printer(*this, os).print();
  return text;
}
