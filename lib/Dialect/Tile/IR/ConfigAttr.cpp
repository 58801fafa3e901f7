//===- ConfigAttr.cpp - #tile.config --------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only parser of tile configurations: options, which are text, are read as
// the attribute that they stand for.
//
//===----------------------------------------------------------------------===//

#include "mlir/AsmParser/AsmParser.h"
#include "tileir/Dialect/Tile/IR/Tile.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using layout::TileConfig;

ConfigAttr ConfigAttr::find(Operation *op) {
  return op->getAttrOfType<ConfigAttr>(TileDialect::kConfig);
}

TileConfig tile::getConfig(Operation *kernel) {
  ConfigAttr attr = ConfigAttr::find(kernel);
  return attr ? attr.getConfig() : TileConfig();
}

FailureOr<TileConfig>
tile::parseConfig(MLIRContext *context, StringRef text,
                  function_ref<InFlightDiagnostic()> emitError) {
  std::string reason;
  Attribute attr;
  {
    // One error, at the op rather than in a text that is in no file.
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
      if (reason.empty())
        reason = diagnostic.str();
    });
    attr = parseAttribute(("#tile.config<" + text + ">").str(), context);
  }
  if (auto config = dyn_cast_if_present<ConfigAttr>(attr))
    return config.getConfig();
  return emitError() << "option 'config={" << text << "}': " << reason;
}

/// Reads "128x128x32", as many numbers as there are `sizes`.
static ParseResult parseSizes(AsmParser &parser, StringRef field,
                              ArrayRef<int64_t *> sizes) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> numbers;
  if (parser.parseDimensionList(numbers, /*allowDynamic=*/false,
                                /*withTrailingX=*/false))
    return failure();
  if (numbers.size() != sizes.size()) {
    InFlightDiagnostic error = parser.emitError(loc, "expects '");
    error << field << "' to be "
          << (sizes.size() == 3 ? "three numbers, as in 128x128x32"
                                : "two numbers, as in 64x32")
          << ", found ";
    llvm::interleave(numbers, error, "x");
    return error;
  }
  for (auto [size, number] : llvm::zip_equal(sizes, numbers))
    *size = number;
  return success();
}

static ParseResult parseField(AsmParser &parser, StringRef field,
                              TileConfig &config) {
  if (field == "block")
    return parseSizes(parser, field,
                      {&config.block.m, &config.block.n, &config.block.k});
  if (field == "warp")
    return parseSizes(parser, field, {&config.warpM, &config.warpN});
  if (field == "split_k")
    return parser.parseInteger(config.splitK);
  if (field == "stages")
    return parser.parseInteger(config.stages);
  if (field == "group")
    return parser.parseInteger(config.group);
  if (field == "cluster")
    return parser.parseInteger(config.cluster);
  if (field == "persistent")
    return parser.parseInteger(config.persistent);
  auto atom = parseAtom(parser);
  if (failed(atom))
    return failure();
  config.atom = *atom;
  return success();
}

Attribute ConfigAttr::parse(AsmParser &parser, Type) {
  TileConfig config;
  llvm::StringSet<> seen;
  auto parseOne = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef field;
    if (parser.parseKeyword(&field))
      return failure();
    if (!llvm::is_contained({"block", "warp", "atom", "split_k", "stages",
                             "group", "cluster", "persistent"},
                            field))
      return parser.emitError(loc, "expects 'block', 'warp', 'atom', "
                                   "'split_k', 'stages', 'group', 'cluster' or "
                                   "'persistent', found '")
             << field << "'";
    if (!seen.insert(field).second)
      return parser.emitError(loc, "expects '")
             << field << "' once, found it twice";
    return failure(parser.parseEqual() || parseField(parser, field, config));
  };
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  while (failed(parser.parseOptionalGreater()))
    if (parseOne())
      return {};
  return parser.getChecked<ConfigAttr>(loc, parser.getContext(), config);
}

void ConfigAttr::print(AsmPrinter &printer) const {
  printer.getStream() << '<' << getConfig() << '>';
}

LogicalResult ConfigAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 TileConfig config) {
  if (std::string reason = layout::checkConfig(config); !reason.empty())
    return emitError() << reason << " (T35)";
  return success();
}
