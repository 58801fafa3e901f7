//===- EinsumAttrs.cpp - Attributes of the einsum dialect -----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Queries on the parsed specification, and printing it back as a string whose
// parse is the same attribute. Parsing is in SpecParser.cpp.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/IR/Einsum.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileir::einsum;

#include "tileir/Dialect/Einsum/IR/EinsumEnums.cpp.inc"

namespace tileir::einsum {
// What the generated code calls of MachineAttr.cpp.
ParseResult parseMachineExtras(AsmParser &parser, const std::string &cpu,
                               bool &amx, bool &vnni, machine::CpuCosts &costs);
void printMachineExtras(AsmPrinter &printer, StringRef cpu, bool amx, bool vnni,
                        const machine::CpuCosts &costs);
} // namespace tileir::einsum

#define GET_ATTRDEF_CLASSES
#include "tileir/Dialect/Einsum/IR/EinsumAttrs.cpp.inc"

void EinsumDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tileir/Dialect/Einsum/IR/EinsumAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

SpecAttr SpecAttr::getCanonical(MLIRContext *context, StringRef indices,
                                unsigned numResultIndices,
                                ArrayRef<LookupAttr> lookups,
                                ArrayRef<AffineMap> maps) {
  llvm::SmallSetVector<unsigned, 8> indexOrder, lookupOrder;
  for (unsigned index = 0; index < numResultIndices; ++index)
    indexOrder.insert(index);
  for (AffineMap map : maps)
    for (AffineExpr axis : map.getResults())
      axis.walk([&](AffineExpr expr) {
        if (auto dim = dyn_cast<AffineDimExpr>(expr))
          indexOrder.insert(dim.getPosition());
        if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
          lookupOrder.insert(symbol.getPosition());
          indexOrder.insert_range(lookups[symbol.getPosition()].getIndices());
        }
      });

  std::string newIndices;
  SmallVector<unsigned> newPosition(indices.size());
  SmallVector<AffineExpr> newDims(indices.size(),
                                  getAffineConstantExpr(0, context));
  SmallVector<AffineExpr> newSymbols(lookups.size(),
                                     getAffineConstantExpr(0, context));
  for (auto [position, index] : llvm::enumerate(indexOrder)) {
    newIndices.push_back(indices[index]);
    newPosition[index] = position;
    newDims[index] = getAffineDimExpr(position, context);
  }
  SmallVector<LookupAttr> newLookups;
  for (unsigned lookup : lookupOrder) {
    newSymbols[lookup] = getAffineSymbolExpr(newLookups.size(), context);
    newLookups.push_back(LookupAttr::get(
        context, lookups[lookup].getTable(),
        llvm::map_to_vector(lookups[lookup].getIndices(),
                            [&](unsigned l) { return newPosition[l]; })));
  }
  SmallVector<AffineMap> newMaps;
  for (AffineMap map : maps)
    newMaps.push_back(map.replaceDimsAndSymbols(
        newDims, newSymbols, newIndices.size(), newLookups.size()));
  return get(context, newIndices, numResultIndices, newLookups, newMaps);
}

SpecAttr SpecAttr::reorder(ArrayRef<unsigned> order, unsigned numResultIndices,
                           ArrayRef<AffineMap> maps) const {
  MLIRContext *context = getContext();
  std::string indices;
  SmallVector<unsigned> newPosition(getNumIndices());
  SmallVector<AffineExpr> dims(getNumIndices(),
                               getAffineConstantExpr(0, context));
  for (auto [position, index] : llvm::enumerate(order)) {
    indices.push_back(getIndices()[index]);
    newPosition[index] = position;
    dims[index] = getAffineDimExpr(position, context);
  }
  SmallVector<LookupAttr> lookups;
  for (LookupAttr lookup : getLookups())
    lookups.push_back(LookupAttr::get(
        context, lookup.getTable(),
        llvm::map_to_vector(lookup.getIndices(),
                            [&](unsigned l) { return newPosition[l]; })));
  SmallVector<AffineMap> newMaps;
  for (AffineMap map : maps)
    newMaps.push_back(
        map.replaceDimsAndSymbols(dims, {}, order.size(), lookups.size()));
  return getCanonical(context, indices, numResultIndices, lookups, newMaps);
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

bool SpecAttr::isUsed(char index) const {
  size_t position = getIndices().find(index);
  for (unsigned operand = 0; operand < getNumOperands(); ++operand)
    if (usesIndex(operand, position))
      return true;
  return false;
}

bool SpecAttr::usesIndex(AffineExpr axis, unsigned index) const {
  bool uses = false;
  axis.walk([&](AffineExpr expr) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      uses |= dim.getPosition() == index;
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
      uses |= llvm::is_contained(
          getLookups()[symbol.getPosition()].getIndices(), index);
  });
  return uses;
}

bool SpecAttr::usesIndex(unsigned operand, unsigned index) const {
  return llvm::any_of(getMaps()[operand].getResults(),
                      [&](AffineExpr axis) { return usesIndex(axis, index); });
}

StringRef tileir::einsum::stringify(ContractionDim dim) {
  static constexpr StringRef names[] = {"batch", "m", "n", "k"};
  return names[static_cast<int>(dim)];
}

ContractionDim SpecAttr::getContractionDim(unsigned index) const {
  if (isReduction(index))
    return ContractionDim::K;
  unsigned users = 0;
  for (unsigned operand = 0; operand < getNumOperands(); ++operand)
    users += usesIndex(operand, index);
  if (users > 1 || users == getNumOperands())
    return ContractionDim::Batch;
  return usesIndex(0u, index) ? ContractionDim::M : ContractionDim::N;
}

std::optional<unsigned> SpecAttr::getBareIndex(unsigned operand,
                                               unsigned axis) const {
  if (auto dim = dyn_cast<AffineDimExpr>(getMaps()[operand].getResult(axis)))
    return dim.getPosition();
  return std::nullopt;
}

bool SpecAttr::usesTable(AffineExpr axis) const {
  bool uses = false;
  axis.walk([&](AffineExpr expr) {
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
      uses |= !getLookups()[symbol.getPosition()].isIndex();
  });
  return uses;
}

SmallVector<StringRef> SpecAttr::getTables() const {
  llvm::SmallSetVector<StringRef, 4> names;
  for (LookupAttr lookup : getLookups())
    if (!lookup.isIndex())
      names.insert(lookup.getTable());
  return names.takeVector();
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

namespace {
/// Prints affine expressions in the syntax of specifications.
struct AxisPrinter {
  SpecAttr spec;
  raw_ostream &os;

  /// How tightly the surrounding operator binds. An operand that binds less
  /// tightly is parenthesised.
  enum Precedence { Sum, Factor, Operand };

  void print(AffineExpr expr, Precedence outer) {
    Precedence own = Operand;
    if (isa<AffineBinaryOpExpr>(expr))
      own = expr.getKind() == AffineExprKind::Add ? Sum : Factor;
    if (own < outer)
      os << '(';
    printUnwrapped(expr);
    if (own < outer)
      os << ')';
  }

  void printUnwrapped(AffineExpr expr) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      os << constant.getValue();
    } else if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      os << spec.getIndices()[dim.getPosition()];
    } else if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
      printLookup(spec.getLookups()[symbol.getPosition()]);
    } else {
      auto binary = cast<AffineBinaryOpExpr>(expr);
      printBinary(binary.getKind(), binary.getLHS(), binary.getRHS());
    }
  }

  void printLookup(LookupAttr lookup) {
    auto index = [&](unsigned l) { os << spec.getIndices()[l]; };
    if (lookup.isIndex())
      return index(lookup.getIndices().front());
    os << lookup.getTable() << '[';
    llvm::interleave(lookup.getIndices(), os, index, ",");
    os << ']';
  }

  void printBinary(AffineExprKind kind, AffineExpr lhs, AffineExpr rhs) {
    switch (kind) {
    case AffineExprKind::Add:
      print(lhs, Sum);
      return printAddend(rhs);
    case AffineExprKind::Mul:
      // Affine expressions keep constants on the right; people write 2*h.
      if (isa<AffineConstantExpr>(rhs))
        std::swap(lhs, rhs);
      print(lhs, Factor);
      os << '*';
      break;
    case AffineExprKind::FloorDiv:
      print(lhs, Factor);
      os << '/';
      break;
    case AffineExprKind::Mod:
      print(lhs, Factor);
      os << '%';
      break;
    default:
      llvm_unreachable("a specification has no other operator");
    }
    print(rhs, Operand);
  }

  /// Prints `+ expr`, or `- ...` where expr has a negative factor.
  void printAddend(AffineExpr expr) {
    auto negative = [](AffineExpr e) -> std::optional<int64_t> {
      auto constant = dyn_cast<AffineConstantExpr>(e);
      if (constant && constant.getValue() < 0 &&
          constant.getValue() != std::numeric_limits<int64_t>::min())
        return -constant.getValue();
      return std::nullopt;
    };
    if (auto value = negative(expr)) {
      os << '-' << *value;
      return;
    }
    auto product = dyn_cast<AffineBinaryOpExpr>(expr);
    if (product && product.getKind() == AffineExprKind::Mul)
      if (auto value = negative(product.getRHS())) {
        os << '-';
        if (*value != 1)
          os << *value << '*';
        return print(product.getLHS(), *value == 1 ? Factor : Operand);
      }
    os << '+';
    print(expr, Factor);
  }
};
} // namespace

void SpecAttr::printAxis(raw_ostream &os, AffineExpr axis) const {
  AxisPrinter{*this, os}.print(axis, AxisPrinter::Sum);
}

std::string SpecAttr::axisToString(unsigned operand, unsigned axis) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  printAxis(os, getMaps()[operand].getResult(axis));
  return text;
}

std::string SpecAttr::toString() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      getMaps(), os,
      [&](AffineMap map) {
        for (AffineExpr axis : map.getResults()) {
          bool bare = isa<AffineDimExpr>(axis);
          os << (bare ? "" : "(");
          printAxis(os, axis);
          os << (bare ? "" : ")");
        }
      },
      ", ");
  os << " -> " << getIndices().take_front(getNumResultIndices());
  return text;
}

void SpecAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printString(toString());
  printer << '>';
}

Attribute SpecAttr::parse(AsmParser &parser, Type) {
  std::string text;
  if (parser.parseLess())
    return {};
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseString(&text) || parser.parseGreater())
    return {};
  return parse(parser.getContext(), text, [&](size_t offset) {
    // One past the opening quote.
    return parser.emitError(
        SMLoc::getFromPointer(location.getPointer() + 1 + offset));
  });
}
