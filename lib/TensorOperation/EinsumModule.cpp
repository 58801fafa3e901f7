//===- EinsumModule.cpp - Modules of descriptions by einsums --------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shapes tell the sizes of the indices of the specification, and these the
// result. Passes choose a schedule. An index of the result that no operand uses
// is no part of the contraction: its result is repeated along it.
//
//===----------------------------------------------------------------------===//

#include "DetailedError.h"
#include "ModuleParts.h"
#include "SpecText.h"

#include "tileir/Dialect/Einsum/IR/IndexSizes.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::tensor_operation;

using Kind = ErrorDetails::Kind;

namespace {
/// Makes the function of one description.
class Describer {
public:
  Describer(MLIRContext *context, const EinsumDescription &description)
      : context(context), description(description), text(description.spec) {}

  Expected<OperationFunction> describe();

  /// Checks of the tables of `function`, which was described before; null if it
  /// has none.
  std::unique_ptr<TableChecks>
  makeTableChecks(const OperationFunction &function);

private:
  Error parseSizes();
  Error parseSpec();
  Error checkShapes();
  Error checkTables();
  Error checkConflicts();
  Error findSizes();
  Error checkReads();
  void addTables(OperationFunction &function);
  Error addOutput(OperationFunction &function);
  Error addBias(OperationFunction &function);

  std::optional<int64_t> getGiven(char index) const {
    for (auto [given, size] : givenSizes)
      if (given == index)
        return size;
    return std::nullopt;
  }
  bool isPadded() const { return description.padding == "zero"; }

  MLIRContext *context;
  const EinsumDescription &description;
  SpecText text;
  /// Of `sizes`.
  SmallVector<std::pair<char, int64_t>> givenSizes;
  /// Indices of the result that no operand uses, and those that one does.
  SmallVector<char> repeated;
  std::string resultIndices;
  SpecAttr spec;
  /// Of all indices of `spec`.
  SmallVector<int64_t> sizes;
};
} // namespace

//===----------------------------------------------------------------------===//
// The specification
//===----------------------------------------------------------------------===//

/// Reads "r=3,s=3".
Error Describer::parseSizes() {
  SmallVector<StringRef> parts;
  StringRef(description.sizes)
      .split(parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    auto [index, number] = part.split('=');
    int64_t size;
    if (index.trim().size() != 1 || number.trim().getAsInteger(10, size) ||
        size < 0)
      return failAt({Kind::Description},
                    "expected sizes as in \"r=3,s=3\", found \"{0}\"",
                    part.trim());
    char name = index.trim().front();
    if (getGiven(name))
      return failAt({Kind::Description},
                    "expected one size of index '{0}', found two", name);
    givenSizes.emplace_back(name, size);
  }
  return Error::success();
}

/// Parses the specification without the indices that are repeated.
Error Describer::parseSpec() {
  for (char index : text.getUnusedResultIndices())
    if (getGiven(index))
      repeated.push_back(index);
  ErrorCollector errors(context);
  ErrorDetails details = {Kind::Specification};
  spec = SpecAttr::parse(context, text.withoutResultIndices(repeated),
                         [&](size_t offset) {
                           details.position = offset;
                           return emitError(UnknownLoc::get(context));
                         });
  if (!spec) {
    std::string message = toString(errors.take("not valid"));
    size_t position = std::max<int64_t>(details.position, 0);
    details.length = position < description.spec.size();
    bool isUnused =
        position < description.spec.size() &&
        is_contained(text.getUnusedResultIndices(), description.spec[position]);
    return failAt(details,
                  "in the specification \"{0}\", at character {1}: "
                  "{2}{3}",
                  description.spec, position + 1, message,
                  isUnused ? ": give its size to repeat the result along it"
                           : "");
  }
  // The repeated ones are among those of the result, in their places.
  size_t position = description.spec.find("->");
  for (char c : StringRef(description.spec).substr(position + 2))
    if (isAlpha(c)) {
      if (resultIndices.find(c) != std::string::npos)
        return failAt({Kind::Specification, -1, -1,
                       static_cast<int64_t>(description.spec.rfind(c)), 1},
                      "in the specification \"{0}\", at character {1}: "
                      "repeated result index '{2}': expected each index once "
                      "in the result",
                      description.spec, description.spec.rfind(c) + 1, c);
      resultIndices.push_back(c);
    }
  for (auto [index, size] : givenSizes)
    if (!spec.getIndices().contains(index) && !is_contained(repeated, index))
      return failAt({Kind::Shape},
                    "expected sizes of indices of \"{0}\", found '{1}'",
                    spec.toString(), index);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Shapes and sizes
//===----------------------------------------------------------------------===//

/// Checks that there is a shape per term, of as many axes (C7 and C8).
Error Describer::checkShapes() {
  size_t numInputs = description.shapes.size();
  if (numInputs != spec.getNumOperands())
    return failAt({Kind::Shape},
                  "expected {0} shapes, as many as \"{1}\" has terms, found "
                  "{2}",
                  spec.getNumOperands(), spec.toString(), numInputs);
  for (auto [operand, shape] : enumerate(description.shapes))
    if (size_t axes = spec.getMaps()[operand].getNumResults();
        axes != shape.size())
      return failAt(text.atTerm(operand),
                    "expected input {0} to have {1} axes, as its term in "
                    "\"{2}\", found {3}",
                    operand, axes, spec.toString(), shape.size());
  return Error::success();
}

/// The indices in the brackets of a table.
static ArrayRef<unsigned> getTableIndices(SpecAttr spec, StringRef table) {
  for (LookupAttr lookup : spec.getLookups())
    if (lookup.getTable() == table)
      return lookup.getIndices();
  return {};
}

/// Checks that tables are those of the specification (C9 and C10).
Error Describer::checkTables() {
  if (description.tables.empty())
    return Error::success();
  SmallVector<StringRef> names = spec.getTables();
  for (auto [i, table] : enumerate(description.tables)) {
    ErrorDetails details = text.atTable(table.name);
    details.operand = static_cast<int>(description.shapes.size() + i);
    if (!is_contained(names, table.name))
      return failAt(details, "expected tables of \"{0}\", found '{1}'",
                    spec.toString(), table.name);
    size_t axes = getTableIndices(spec, table.name).size();
    if (table.shape.size() != axes)
      return failAt(details,
                    "expected table '{0}' to have {1} axes, one for each index "
                    "in its brackets, found {2}",
                    table.name, axes, table.shape.size());
    llvm::erase(names, StringRef(table.name));
  }
  if (!names.empty())
    return failAt(text.atTable(names.front()),
                  "expected table '{0}' of \"{1}\" among the tables, found "
                  "none of that name",
                  names.front(), spec.toString());
  return Error::success();
}

/// Checks that no two axes contradict each other (C11), in the order in which
/// sizes are inferred.
Error Describer::checkConflicts() {
  SmallVector<std::pair<int64_t, std::string>> known(spec.getNumIndices());
  for (auto [index, name] : enumerate(spec.getIndices()))
    known[index] = {getGiven(name).value_or(-1), "'sizes'"};
  auto unify = [&](ErrorDetails details, unsigned index, int64_t size,
                   std::string place) -> Error {
    auto &[first, where] = known[index];
    if (first >= 0 && first != size)
      return failAt(details,
                    "index '{0}' has size {1} in {2} but size {3} in {4}",
                    spec.getIndices()[index], first, where, size, place);
    if (first < 0)
      known[index] = {size, std::move(place)};
    return Error::success();
  };
  for (auto [operand, shape] : enumerate(description.shapes))
    for (auto [axis, size] : enumerate(shape))
      if (auto index = spec.getBareIndex(operand, axis))
        if (Error error =
                unify(text.atAxis(operand, axis), *index, size,
                      formatv("axis {0} of operand {1}", axis, operand).str()))
          return error;
  for (auto [i, table] : enumerate(description.tables))
    for (LookupAttr lookup : spec.getLookups()) {
      if (lookup.getTable() != table.name)
        continue;
      ErrorDetails details = text.atTable(table.name);
      details.operand = static_cast<int>(description.shapes.size() + i);
      for (auto [axis, index] : enumerate(lookup.getIndices())) {
        details.axis = static_cast<int>(axis);
        if (Error error = unify(
                details, index, table.shape[axis],
                formatv("axis {0} of table '{1}'", axis, table.name).str()))
          return error;
      }
    }
  return Error::success();
}

/// Infers the sizes of all indices.
Error Describer::findSizes() {
  if (Error error = checkConflicts())
    return error;
  Location loc = UnknownLoc::get(context);
  // Only the types of values matter.
  Block values;
  mlir::Type element = mlir::IntegerType::get(context, 32);
  for (const std::vector<int64_t> &shape : description.shapes)
    values.addArgument(RankedTensorType::get(shape, element), loc);
  size_t numInputs = description.shapes.size();
  for (StringRef table : spec.getTables()) {
    SmallVector<int64_t> shape(getTableIndices(spec, table).size(),
                               ShapedType::kDynamic);
    for (const TableDescription &given : description.tables)
      if (given.name == table)
        shape.assign(given.shape.begin(), given.shape.end());
    values.addArgument(RankedTensorType::get(shape, element), loc);
  }
  Builder builder(context);
  NamedAttrList given;
  for (auto [index, size] : givenSizes)
    if (!is_contained(repeated, index))
      given.append(StringRef(&index, 1), builder.getI64IntegerAttr(size));
  ErrorCollector errors(context);
  ValueRange all = values.getArguments();
  auto inferred = inferIndexSizes(spec, all.take_front(numInputs),
                                  all.drop_front(numInputs), Value(),
                                  ShapedType(), given.getDictionary(context),
                                  isPadded(), [&] { return emitError(loc); });
  if (failed(inferred))
    return errors.take("the sizes of indices contradict each other");
  for (auto [index, size] : enumerate(*inferred)) {
    char name = spec.getIndices()[index];
    if (!size.isStatic())
      return failAt(text.atIndex(name),
                    "expected the shapes to tell the size of index '{0}': give "
                    "it in sizes, as {0} = 3",
                    name);
    if (size.source == IndexSize::Source::Window && size.size <= 0)
      return failAt(text.atAxis(size.operand, size.axis),
                    "expected axis {0} of input {1} to have room for ({2}), "
                    "found size {3}: no value of index '{4}' keeps its reads "
                    "inside",
                    size.axis, size.operand,
                    spec.axisToString(size.operand, size.axis),
                    description.shapes[size.operand][size.axis], name);
    sizes.push_back(size.size);
  }
  return Error::success();
}

/// Checks that reads without tables are inside (C14).
Error Describer::checkReads() {
  if (isPadded() || is_contained(sizes, 0))
    return Error::success();
  for (auto [operand, map] : enumerate(spec.getMaps()))
    for (auto [axis, expr] : enumerate(map.getResults())) {
      if (spec.getBareIndex(operand, axis) || spec.usesTable(expr))
        continue;
      int64_t size = description.shapes[operand][axis];
      auto range = getIndexRange(expr, spec, sizes);
      if (range && (range->min < 0 || range->max >= size))
        return failAt(text.atAxis(operand, axis),
                      "axis {0} of operand {1} ({2}) reads indices {3} to {4}, "
                      "outside of its size {5}: expected them in [0, {5}); "
                      "change the sizes or pad with zeros",
                      axis, operand, spec.axisToString(operand, axis),
                      range->min, range->max, size);
    }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

/// Gives `function` its tables, in the order of the description or of the text:
/// the parsed specification may have exchanged what it adds up.
void Describer::addTables(OperationFunction &function) {
  for (const TableDescription &table : description.tables)
    function.tables.push_back(
        {table.name, table.type,
         SmallVector<int64_t>(table.shape.begin(), table.shape.end())});
  if (description.tables.empty())
    for (StringRef table : text.getTables())
      function.tables.push_back(
          {table.str(), OperationType::I32,
           map_to_vector(getTableIndices(spec, table),
                         [&](unsigned index) { return sizes[index]; })});
}

/// Gives `function` its output, whose elements must not overlap.
Error Describer::addOutput(OperationFunction &function) {
  auto getSize = [&](char index) {
    size_t position = spec.getIndices().find(index);
    return position == StringRef::npos ? *getGiven(index) : sizes[position];
  };
  SmallVector<int64_t> strides(resultIndices.size());
  int64_t stride = 1;
  for (size_t axis = resultIndices.size(); axis-- > 0;) {
    strides[axis] = stride;
    int64_t size = std::max<int64_t>(getSize(resultIndices[axis]), 1);
    if (MulOverflow(stride, size, stride) || stride > INT64_MAX / 8)
      return failAt({Kind::Shape}, "expected a result that fits in memory");
  }
  if (!description.stridesOut.empty()) {
    if (description.stridesOut.size() != strides.size())
      return failAt({Kind::Description},
                    "expected strides_out to have {0} entries, one per index "
                    "of the result, found {1}",
                    strides.size(), description.stridesOut.size());
    strides.assign(description.stridesOut.begin(),
                   description.stridesOut.end());
  }
  for (auto [index, stride] : zip(resultIndices, strides))
    function.output.add(index, getSize(index), stride);
  if (auto overlap = function.output.findOverlap())
    return failAt({Kind::Shape},
                  "expected the stride of index '{0}' in strides_out to be at "
                  "least {1}, found {2}: elements of the output would overlap",
                  function.output.indices[overlap->axis], overlap->extent,
                  function.output.strides[overlap->axis]);
  return Error::success();
}

Error Describer::addBias(OperationFunction &function) {
  function.bias = true;
  if (description.stridesBias.size() != resultIndices.size())
    return failAt({Kind::Description},
                  "expected strides_bias to have {0} entries, one per index of "
                  "the result, found {1}",
                  resultIndices.size(), description.stridesBias.size());
  for (auto [axis, stride] : enumerate(description.stridesBias))
    if (stride != 0)
      function.other.add(resultIndices[axis], function.output.sizes[axis],
                         stride);
  function.other.finish();
  return Error::success();
}

Expected<OperationFunction> Describer::describe() {
  for (auto check :
       {&Describer::parseSizes, &Describer::parseSpec, &Describer::checkShapes,
        &Describer::checkTables, &Describer::findSizes, &Describer::checkReads})
    if (Error error = (this->*check)())
      return std::move(error);

  OperationFunction function;
  function.type = description.type;
  function.accumulator = description.accumulator;
  function.spec = spec;
  function.isPadded = isPadded();
  for (auto [operand, shape] : enumerate(description.shapes)) {
    OperationFunction::Operand &added = function.operands.emplace_back();
    added.shape.assign(shape.begin(), shape.end());
    if (operand < description.strides.size())
      added.strides.assign(description.strides[operand].begin(),
                           description.strides[operand].end());
    added.type = description.inputTypes.empty()
                     ? description.type
                     : description.inputTypes[operand];
  }
  NamedAttrList indexSizes;
  for (auto [index, size] : enumerate(sizes))
    indexSizes.append(
        spec.getIndices().substr(index, 1),
        IntegerAttr::get(mlir::IntegerType::get(context, 64), size));
  function.indexSizes = indexSizes.getDictionary(context);
  function.repeated = repeated;
  addTables(function);
  if (Error error = addOutput(function))
    return std::move(error);
  if (description.firstTouch == Primitive::Bias)
    if (Error error = addBias(function))
      return std::move(error);
  bool sums = spec.getNumIndices() > spec.getNumResultIndices();
  function.load = description.firstTouch == Primitive::Load ||
                  (description.firstTouch == Primitive::None && sums);
  function.relu = description.lastTouch == Primitive::Relu;
  function.isEmpty =
      is_contained(sizes, 0) || is_contained(function.output.sizes, 0);
  function.isPlain = function.isPadded || description.shapes.size() > 2 ||
                     !repeated.empty() || function.isEmpty;
  return function;
}

std::unique_ptr<TableChecks>
Describer::makeTableChecks(const OperationFunction &function) {
  if (function.tables.empty())
    return nullptr;
  auto tables =
      map_to_vector(function.tables, [](const OperationFunction::Table &table) {
        return std::pair(table.name, table.type);
      });
  return std::make_unique<TableChecks>(description, text, spec, sizes, tables);
}

Expected<OperationModule>
tensor_operation::makeModule(MLIRContext *context,
                             const EinsumDescription &description) {
  Describer describer(context, description);
  auto function = describer.describe();
  if (!function)
    return function.takeError();
  auto module = makeModule(context, *function);
  if (!module) {
    // What the verifier refuses is the description's, such as its types.
    std::string message = toString(module.takeError());
    StringRef text = message;
    text.consume_front("'einsum.contract' op ");
    return failAt({Kind::Shape}, "{0}", text);
  }
  OperationModule result;
  result.module = std::move(*module);
  result.numInputs = function->getNumInputs();
  result.outputShape = function->output.sizes;
  result.threads = description.threads;
  result.tableChecks = describer.makeTableChecks(*function);
  return result;
}
