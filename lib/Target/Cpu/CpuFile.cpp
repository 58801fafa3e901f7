//===- CpuFile.cpp - Entries of the table of CPUs in files ----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An entry is an object of JSON with the names of `#einsum.machine`:
//
//   {"cpu": "znver5", "vector_bits": 512, ..., "costs": {"tile_cycles": 24,
//   ...}}
//
// What it leaves out is that of the entry that is nearest to its name.
//
//===----------------------------------------------------------------------===//

#include "tileir/Target/Cpu/CpuFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tileir::machine;
namespace json = llvm::json;
using llvm::Error;
using llvm::StringRef;

static constexpr std::pair<StringRef, bool Cpu::*> kFlags[] = {
    {"bf16", &Cpu::bf16}, {"amx", &Cpu::amx}, {"vnni", &Cpu::vnni}};

/// Looks `key` up in `table`, of pairs that begin with a name.
template <typename Table>
static auto *lookUp(const Table &table, StringRef key) {
  auto *it = llvm::find_if(table, [&](const auto &named) {
    auto &[name, member] = named;
    return name == key;
  });
  return it == std::end(table) ? nullptr : it;
}

static Error fail(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

static std::string print(const json::Value &value) {
  return llvm::formatv("{0}", value);
}

static Error readCosts(const json::Value &value, CpuCosts &costs) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return fail("expected 'costs' to be an object, found " + print(value));
  for (const auto &[key, entry] : *object) {
    const NamedCost *named = lookUp(getNamedCosts(), key);
    if (!named)
      return fail("expected a cost, as 'tile_cycles', found '" +
                  StringRef(key) + "'");
    std::optional<double> number = entry.getAsNumber();
    if (!number)
      return fail("expected '" + named->name + "' to be a number, found " +
                  print(entry));
    costs.*named->cost = *number;
  }
  return Error::success();
}

static Error readField(StringRef key, const json::Value &value, Cpu &cpu) {
  if (key == "cpu") // which was read first
    return Error::success();
  if (key == "costs")
    return readCosts(value, cpu.costs);
  if (const NamedFigure *named = lookUp(getNamedFigures(), key)) {
    std::optional<int64_t> number = value.getAsInteger();
    if (!number)
      return fail("expected '" + key + "' to be an integer, found " +
                  print(value));
    cpu.*named->figure = *number;
    return Error::success();
  }
  if (const auto *flag = lookUp(kFlags, key)) {
    std::optional<bool> is = value.getAsBoolean();
    if (!is)
      return fail("expected '" + key + "' to be true or false, found " +
                  print(value));
    cpu.*flag->second = *is;
    return Error::success();
  }
  return fail(
      "expected a name of '#einsum.machine', as 'vector_bits', found '" + key +
      "'");
}

llvm::Expected<Cpu> tileir::machine::parseCpu(StringRef text) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value)
    return value.takeError();
  const json::Object *object = value->getAsObject();
  std::optional<StringRef> name =
      object ? object->getString("cpu") : std::nullopt;
  if (!name)
    return fail("expected an object with 'cpu', a name of LLVM, found " +
                StringRef(print(*value)).take_front(40));
  Cpu cpu = getNearestCpu(*name);
  cpu.name = name->str();
  for (const auto &[key, field] : *object)
    if (Error error = readField(key, field, cpu))
      return std::move(error);
  if (std::string text = findContradiction(cpu); !text.empty())
    return fail("'" + cpu.name + "' " + text);
  return cpu;
}

llvm::Expected<Cpu> tileir::machine::readCpuFile(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return fail("cannot read '" + path + "': " + buffer.getError().message());
  llvm::Expected<Cpu> cpu = parseCpu((*buffer)->getBuffer());
  if (!cpu)
    return fail(path + ": " + llvm::toString(cpu.takeError()));
  return cpu;
}

void tileir::machine::printCpu(llvm::raw_ostream &os, const Cpu &cpu) {
  json::OStream writer(os, /*IndentSize=*/2);
  writer.object([&] {
    writer.attribute("cpu", cpu.name);
    for (const NamedFigure &named : getNamedFigures())
      writer.attribute(named.name, cpu.*named.figure);
    for (auto [name, flag] : kFlags)
      writer.attribute(name, cpu.*flag);
    writer.attributeObject("costs", [&] {
      for (const NamedCost &named : getNamedCosts())
        writer.attribute(named.name, cpu.costs.*named.cost);
    });
  });
  os << '\n';
}
