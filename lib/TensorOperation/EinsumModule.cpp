//===- EinsumModule.cpp - Modules of descriptions by einsums --------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shapes tell the sizes of the indices of the specification, and these the
// result. Passes choose a schedule.
//
//===----------------------------------------------------------------------===//

#include "ModuleParts.h"

#include "tileir/Dialect/Einsum/IR/IndexSizes.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::tensor_operation;

static Expected<SpecAttr> parseSpec(MLIRContext *context, StringRef text) {
  ErrorCollector errors(context);
  size_t position = 0;
  SpecAttr spec = SpecAttr::parse(context, text, [&](size_t offset) {
    position = offset;
    return emitError(UnknownLoc::get(context));
  });
  if (spec)
    return spec;
  return createStringError(
      formatv("in the specification \"{0}\", at character {1}: {2}", text,
              position + 1, toString(errors.take("not valid")))
          .str());
}

/// "r=3,s=3" as an attribute; constraint C18 is checked here.
static Expected<DictionaryAttr> parseSizes(SpecAttr spec, StringRef text) {
  NamedAttrList entries;
  Builder builder(spec.getContext());
  SmallVector<StringRef> parts;
  text.split(parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    auto [index, number] = part.split('=');
    int64_t size;
    if (index.trim().size() != 1 || number.trim().getAsInteger(10, size) ||
        size <= 0)
      return createStringError("expected sizes as in \"r=3,s=3\", found \"" +
                               part.trim() + "\"");
    if (!spec.getIndices().contains(index.trim()))
      return createStringError("expected sizes of indices of \"" +
                               spec.toString() + "\", found '" + index.trim() +
                               "'");
    if (entries.get(index.trim()))
      return createStringError("expected one size of index '" + index.trim() +
                               "', found two");
    entries.append(index.trim(), builder.getI64IntegerAttr(size));
  }
  return entries.getDictionary(spec.getContext());
}

/// Checks that there is a shape per term, of as many axes (C7 and C8).
static Error checkShapes(SpecAttr spec, const EinsumDescription &description) {
  if (description.shapes.size() != spec.getNumOperands())
    return createStringError(
        formatv("expected {0} shapes, as many as \"{1}\" has terms, found {2}",
                spec.getNumOperands(), spec.toString(),
                description.shapes.size())
            .str());
  for (auto [operand, shape] : enumerate(description.shapes))
    if (size_t axes = spec.getMaps()[operand].getNumResults();
        axes != shape.size())
      return createStringError(
          formatv(
              "expected input {0} to have {1} axes, as its term in \"{2}\", "
              "found {3}",
              operand, axes, spec.toString(), shape.size())
              .str());
  return Error::success();
}

/// The sizes of all indices.
static Expected<SmallVector<int64_t>>
getSizes(SpecAttr spec, const EinsumDescription &description,
         DictionaryAttr sizes) {
  MLIRContext *context = spec.getContext();
  Location loc = UnknownLoc::get(context);
  // Only the types of values matter.
  Block values;
  mlir::Type element = mlir::IntegerType::get(context, 32);
  for (const std::vector<int64_t> &shape : description.shapes)
    values.addArgument(RankedTensorType::get(shape, element), loc);
  size_t numInputs = description.shapes.size();
  for (StringRef table : spec.getTables())
    for (LookupAttr lookup : spec.getLookups())
      if (lookup.getTable() == table) {
        SmallVector<int64_t> shape(lookup.getIndices().size(),
                                   ShapedType::kDynamic);
        values.addArgument(RankedTensorType::get(shape, element), loc);
        break;
      }
  ErrorCollector errors(context);
  ValueRange all = values.getArguments();
  auto inferred = inferIndexSizes(
      spec, all.take_front(numInputs), all.drop_front(numInputs), Value(),
      ShapedType(), sizes, description.padding == "zero",
      [&] { return emitError(loc); });
  if (failed(inferred))
    return errors.take("the sizes of indices contradict each other");
  SmallVector<int64_t> result;
  for (auto [index, size] : enumerate(*inferred)) {
    if (!size.isStatic() || size.size <= 0)
      return createStringError(
          formatv("expected the shapes to tell the size of index '{0}': give "
                  "it in sizes, as in \"{0}=3\"",
                  spec.getIndices()[index])
              .str());
    result.push_back(size.size);
  }
  return result;
}

/// The tables in the order in which `text`, a valid specification, names them.
/// The parsed one may have exchanged what it adds up.
static SmallVector<StringRef> getTablesAsWritten(StringRef text) {
  auto isName = [](char c) { return isAlnum(c) || c == '_'; };
  SmallVector<StringRef> tables;
  while (!text.empty()) {
    StringRef name = text.take_while(isName);
    text = text.drop_front(std::max<size_t>(name.size(), 1));
    // Other names are indices, one after the other.
    if (!name.empty() && text.ltrim().starts_with("[") &&
        !is_contained(tables, name))
      tables.push_back(name);
  }
  return tables;
}

static Expected<OperationFunction>
describe(MLIRContext *context, const EinsumDescription &description) {
  auto spec = parseSpec(context, description.spec);
  if (!spec)
    return spec.takeError();
  if (Error error = checkShapes(*spec, description))
    return std::move(error);
  auto given = parseSizes(*spec, description.sizes);
  if (!given)
    return given.takeError();
  auto sizes = getSizes(*spec, description, *given);
  if (!sizes)
    return sizes.takeError();

  OperationFunction function;
  function.type = description.type;
  function.spec = *spec;
  function.isPadded = description.padding == "zero";
  for (const std::vector<int64_t> &shape : description.shapes)
    function.operands.emplace_back(shape.begin(), shape.end());
  for (StringRef table : getTablesAsWritten(description.spec))
    for (LookupAttr lookup : spec->getLookups())
      if (lookup.getTable() == table) {
        function.tables.emplace_back(
            table, map_to_vector(lookup.getIndices(), [&](unsigned index) {
              return (*sizes)[index];
            }));
        break;
      }
  NamedAttrList indexSizes;
  for (auto [index, size] : enumerate(*sizes))
    indexSizes.append(
        spec->getIndices().substr(index, 1),
        IntegerAttr::get(mlir::IntegerType::get(context, 64), size));
  function.indexSizes = indexSizes.getDictionary(context);

  unsigned numKept = spec->getNumResultIndices();
  ArrayRef<int64_t> shape = ArrayRef(*sizes).take_front(numKept);
  int64_t stride = 1;
  for (int64_t size : shape)
    if (MulOverflow(stride, size, stride) || stride > INT64_MAX / 8)
      return createStringError("expected a result that fits in memory");
  for (auto [index, size] : enumerate(shape))
    function.output.add(spec->getIndices()[index], size, stride /= size);
  bool sums = spec->getNumIndices() > numKept;
  function.load = description.firstTouch == Primitive::Load ||
                  (description.firstTouch == Primitive::None && sums);
  function.bias = description.firstTouch == Primitive::Bias;
  if (function.bias) {
    if (description.stridesBias.size() != numKept)
      return createStringError(
          formatv("expected strides_bias to have {0} entries, one per index of "
                  "the result, found {1}",
                  numKept, description.stridesBias.size())
              .str());
    for (auto [index, size] : enumerate(shape))
      if (description.stridesBias[index] != 0)
        function.other.add(spec->getIndices()[index], size,
                           description.stridesBias[index]);
    function.other.finish();
  }
  function.relu = description.lastTouch == Primitive::Relu;
  function.isPlain = function.isPadded || description.shapes.size() > 2;
  return function;
}

Expected<OperationModule>
tensor_operation::makeModule(MLIRContext *context,
                             const EinsumDescription &description) {
  auto function = describe(context, description);
  if (!function)
    return function.takeError();
  auto module = makeModule(context, *function);
  if (!module)
    return module.takeError();
  OperationModule result;
  result.module = std::move(*module);
  result.numInputs = function->getNumInputs();
  result.outputShape = function->output.sizes;
  result.threads = description.threads;
  return result;
}
