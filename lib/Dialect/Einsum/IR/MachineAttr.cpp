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
                                  bool amx, CpuCosts costs) {
  std::string text = machine::findContradiction(
      {cpu.str(), vectorBits, registers, fma, latency, l1, l2, l3, cores, bf16,
       amx, costs});
  return text.empty() ? success() : emitError() << text;
}

MachineAttr MachineAttr::get(MLIRContext *context, const machine::Cpu &cpu) {
  return get(context, cpu.name, cpu.vectorBits, cpu.registers, cpu.fma,
             cpu.latency, cpu.l1, cpu.l2, cpu.l3, cpu.cores, cpu.bf16, cpu.amx,
             cpu.costs);
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
// Called by the generated code in EinsumAttrs.cpp.
ParseResult parseAmxAndCosts(AsmParser &parser, const std::string &cpu,
                             bool &amx, CpuCosts &costs) {
  amx = false;
  costs = machine::getNearestCpu(cpu).costs;
  if (failed(parser.parseOptionalComma()))
    return success();
  if (succeeded(parser.parseOptionalKeyword("amx"))) {
    // As `bf16`, which the generated parser reads.
    FailureOr<bool> value = failure();
    if (parser.parseEqual() || failed(value = FieldParser<bool>::parse(parser)))
      return failure();
    amx = *value;
    if (failed(parser.parseOptionalComma()))
      return success();
  }
  if (parser.parseKeyword("costs") || parser.parseEqual())
    return failure();
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

void printAmxAndCosts(AsmPrinter &printer, StringRef cpu, bool amx,
                      const CpuCosts &costs) {
  if (amx)
    printer << ", amx = true";
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
