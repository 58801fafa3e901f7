//===- MachineAttr.cpp - #einsum.machine ----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The properties of a CPU that passes need to know, from the table of CPUs.
// Nothing here asks which CPU the compiler runs on: tools do, and attach what
// they find.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/IR/Einsum.h"
#include "tileir/Dialect/Einsum/IR/Schedule.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using machine::CpuCosts;

LogicalResult MachineAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  StringRef cpu, int64_t vectorBits,
                                  int64_t registers, int64_t fma,
                                  int64_t latency, int64_t l1, int64_t l2,
                                  int64_t l3, int64_t cores, bool bf16,
                                  bool amx, bool vnni, CpuCosts costs) {
  std::string text = machine::findContradiction(
      {cpu.str(), vectorBits, registers, fma, latency, l1, l2, l3, cores, bf16,
       amx, vnni, costs});
  return text.empty() ? success() : emitError() << text;
}

MachineAttr MachineAttr::get(MLIRContext *context, const machine::Cpu &cpu) {
  return get(context, cpu.name, cpu.vectorBits, cpu.registers, cpu.fma,
             cpu.latency, cpu.l1, cpu.l2, cpu.l3, cpu.cores, cpu.bf16, cpu.amx,
             cpu.vnni, cpu.costs);
}

MachineAttr MachineAttr::find(Operation *op) {
  MLIRContext *context = op->getContext();
  for (; op; op = op->getParentOp())
    if (auto machine = op->getAttrOfType<MachineAttr>(kMachineAttr))
      return machine;
  return get(context, machine::getDefaultCpu());
}

bool MachineAttr::streams(double bytes) const {
  return bytes > std::min(getL3() / 2.0, getCosts().keptResult);
}

namespace tileir::einsum {

/// The costs between braces that are not those of the table.
static ParseResult parseCosts(AsmParser &parser, CpuCosts &costs) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Braces, [&]() -> ParseResult {
        StringRef name;
        SMLoc loc = parser.getCurrentLocation();
        if (parser.parseKeyword(&name) || parser.parseEqual())
          return failure();
        const auto *named = llvm::find_if(
            machine::getNamedCosts(),
            [&](const machine::NamedCost &cost) { return cost.name == name; });
        if (named == machine::getNamedCosts().end())
          return parser.emitError(loc) << "expected a cost, as 'tile_cycles', "
                                          "found '"
                                       << name << "'";
        return parser.parseFloat(costs.*named->cost);
      });
}

// Called by the generated code in EinsumAttrs.cpp.
ParseResult parseMachineExtras(AsmParser &parser, const std::string &cpu,
                               bool &amx, bool &vnni, CpuCosts &costs) {
  amx = vnni = false;
  costs = machine::getNearestCpu(cpu).costs;
  while (succeeded(parser.parseOptionalComma())) {
    StringRef name;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    if (name == "costs") {
      if (failed(parseCosts(parser, costs)))
        return failure();
    } else if (name == "amx" || name == "vnni") {
      FailureOr<bool> value = FieldParser<bool>::parse(parser);
      if (failed(value))
        return failure();
      (name == "amx" ? amx : vnni) = *value;
    } else {
      return parser.emitError(loc)
             << "expected 'amx', 'vnni' or 'costs', found '" << name << "'";
    }
  }
  return success();
}

void printMachineExtras(AsmPrinter &printer, StringRef cpu, bool amx, bool vnni,
                        const CpuCosts &costs) {
  if (amx)
    printer << ", amx = true";
  if (vnni)
    printer << ", vnni = true";
  const CpuCosts &known = machine::getNearestCpu(cpu).costs;
  if (costs == known)
    return;
  printer << ", costs = {";
  llvm::ListSeparator comma;
  for (const machine::NamedCost &named : machine::getNamedCosts())
    if (costs.*named.cost != known.*named.cost) {
      printer.getStream() << comma << named.name << " = ";
      printer.printFloat(APFloat(costs.*named.cost));
    }
  printer << '}';
}

} // namespace tileir::einsum
