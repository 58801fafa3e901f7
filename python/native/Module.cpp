//===- Module.cpp - The module tileir._native -----------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls that were compiled before, found by specification, options, types,
// shapes and strides. All else is Python's: what cannot be done here comes back
// as a Failure.
//
//===----------------------------------------------------------------------===//

#include "Bundle.h"
#include "Operation.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <list>
#include <optional>
#include <string_view>
#include <unordered_map>

using namespace tileir::python;
using namespace nanobind::literals;

using Ints = std::vector<int64_t>;

namespace {

/// Operations by the keys of their calls; the interpreter's lock guards it.
/// Those go that were not asked for the longest.
class Cache {
public:
  static Cache &get() {
    static Cache *cache = new Cache();
    return *cache;
  }

  nb::object find(const std::string &key) {
    auto found = table.find(key);
    if (found == table.end())
      return nb::object();
    ++hits;
    entries.splice(entries.begin(), entries, found->second);
    return found->second->second;
  }

  void insert(const std::string &key, nb::object operation) {
    ++misses;
    if (auto found = table.find(key); found != table.end())
      return;
    entries.emplace_front(key, std::move(operation));
    table.emplace(entries.front().first, entries.begin());
    dropOldest();
  }

  void clear() {
    Entries old;
    table.clear();
    std::swap(old, entries);
  }

  void setLimit(size_t operations) {
    limit = operations;
    dropOldest();
  }

  nb::tuple getInfo() const {
    return nb::make_tuple(hits, misses, limit, entries.size());
  }

private:
  using Entries = std::list<std::pair<std::string, nb::object>>;

  void dropOldest() {
    Entries old;
    while (entries.size() > limit) {
      table.erase(entries.back().first);
      old.splice(old.begin(), entries, std::prev(entries.end()));
    }
  }

  Entries entries;
  std::unordered_map<std::string_view, Entries::iterator> table;
  size_t hits = 0, misses = 0, limit = 1024;
};

TileirInts view(const Ints &ints) { return {ints.data(), ints.size()}; }

/// One input: its type, shape and strides.
using Input = std::tuple<int, Ints, Ints>;
/// One table: its name, type and shape.
using Table = std::tuple<std::string, int, Ints>;

/// A description for the C interface, with what it points to.
class Description {
public:
  Description(std::string spec, std::vector<Input> inputs,
              std::vector<Table> tables, std::string sizes, std::string padding,
              int type, std::optional<int> accumulator,
              std::optional<Ints> stridesBias, Ints stridesOut, bool relu,
              int threads);
  Description(const Description &) = delete;
  Description &operator=(const Description &) = delete;

  TileirEinsumDescription einsum = {};
  TileirEinsumOptions options = {};

private:
  std::string spec, sizes, padding;
  std::vector<Input> inputs;
  std::vector<Table> tables;
  std::optional<Ints> stridesBias;
  Ints stridesOut;
  TileirType sums;
  /// Views of these.
  std::vector<TileirInts> shapes, strides;
  std::vector<TileirType> types;
  std::vector<TileirTable> described;
};

} // namespace

Description::Description(std::string givenSpec, std::vector<Input> givenInputs,
                         std::vector<Table> givenTables, std::string givenSizes,
                         std::string givenPadding, int type,
                         std::optional<int> accumulator,
                         std::optional<Ints> givenStridesBias,
                         Ints givenStridesOut, bool relu, int threads)
    : spec(std::move(givenSpec)), sizes(std::move(givenSizes)),
      padding(std::move(givenPadding)), inputs(std::move(givenInputs)),
      tables(std::move(givenTables)), stridesBias(std::move(givenStridesBias)),
      stridesOut(std::move(givenStridesOut)),
      sums(static_cast<TileirType>(accumulator.value_or(0))) {
  for (const auto &[inputType, shape, inputStrides] : inputs) {
    types.push_back(static_cast<TileirType>(inputType));
    shapes.push_back(view(shape));
    strides.push_back(view(inputStrides));
  }
  for (const auto &[name, tableType, shape] : tables)
    described.push_back(
        {name.c_str(), static_cast<TileirType>(tableType), view(shape)});
  einsum.spec = spec.c_str();
  einsum.type = static_cast<TileirType>(type);
  einsum.num_inputs = inputs.size();
  einsum.shapes = shapes.data();
  einsum.sizes = sizes.c_str();
  einsum.padding = padding.c_str();
  einsum.first_touch = stridesBias ? TILEIR_BIAS : TILEIR_ZERO;
  einsum.last_touch = relu ? TILEIR_RELU : TILEIR_NONE;
  if (stridesBias)
    einsum.strides_bias = view(*stridesBias);
  einsum.threads = threads;
  options.size = sizeof(options);
  options.strides = strides.data();
  options.strides_out = view(stridesOut);
  options.input_types = types.data();
  options.accumulator = accumulator ? &sums : nullptr;
  options.num_tables = described.size();
  options.tables = described.data();
}

/// What went wrong last, told by `message`.
static nb::object takeFailure(char *message) {
  Failure failure{Failure::Error, 0, tileirGetLastError(), message};
  tileirFreeMessage(message);
  return nb::cast(std::move(failure));
}

namespace {

/// Compiles an operation, or finds it compiled; returns it or a Failure.
nb::object create(const Description &description,
                  const std::optional<std::string> &tuned) {
  TileirEinsumOptions options = description.options;
  options.tuned = tuned ? tuned->c_str() : nullptr;
  char *message = nullptr;
  TileirOperation *handle;
  {
    nb::gil_scoped_release release;
    handle =
        tileirCreateEinsumWithOptions(&description.einsum, &options, &message);
  }
  // Errors are those of this thread.
  if (!handle)
    return takeFailure(message);
  auto *operation = new Operation();
  nb::object result = nb::cast(operation, nb::rv_policy::take_ownership);
  operation->handle = handle;
  TileirInts shape = tileirGetOutputShape(handle);
  nb::list axes;
  for (size_t axis = 0; axis < shape.size; ++axis)
    axes.append(shape.data[axis]);
  operation->shape = nb::tuple(axes);
  operation->factory = operation->viewType = nb::none();
  return result;
}

/// The program of an operation for tile-tune, or a Failure.
nb::object printProgram(const Description &description) {
  char *message = nullptr;
  char *text =
      tileirPrintEinsum(&description.einsum, &description.options, &message);
  if (!text)
    return takeFailure(message);
  nb::object result = nb::str(text);
  tileirFreeMessage(text);
  return result;
}

/// A Failure if a table leads outside, or None. `inputs` of the operation are
/// elsewhere.
nb::object checkTables(const Description &description,
                       const std::vector<nb::object> &arrays) {
  std::vector<Array> read(arrays.size());
  std::vector<const void *> data;
  for (size_t i = 0; i < arrays.size(); ++i) {
    if (!read[i].read(arrays[i]))
      throw nb::type_error("expected tables in C order");
    data.push_back(read[i].getData());
  }
  char *message = nullptr;
  bool isRight;
  {
    nb::gil_scoped_release release;
    isRight = tileirCheckTables(&description.einsum, &description.options,
                                data.data(), &message);
  }
  return isRight ? nb::none() : takeFailure(message);
}

/// Appends a string and its length. Returns false, without an exception, if it
/// is none.
bool addTo(std::string &key, nb::handle text) {
  Py_ssize_t size = 0;
  const char *data = "";
  if (!text.is_none()) {
    data = PyUnicode_Check(text.ptr())
               ? PyUnicode_AsUTF8AndSize(text.ptr(), &size)
               : nullptr;
    if (!data) {
      PyErr_Clear();
      return false;
    }
  }
  key.append(reinterpret_cast<const char *>(&size), sizeof(size));
  key.append(data, size);
  return true;
}

/// Runs what is compiled for a call, or what `created` is, which is kept for
/// calls like this one. Returns the result or a Failure.
nb::object call(nb::object spec, nb::tuple inputs, nb::object out,
                nb::object options, Operation *created, bool mayOverlap) {
  if (inputs.size() > kMaxArrays)
    return nb::cast(Failure{Failure::Unknown});
  Arguments arguments;
  size_t unreadable;
  if (!arguments.read(inputs, out, unreadable))
    return nb::cast(Failure{Failure::Unreadable, unreadable});
  std::string key;
  key.reserve(512);
  if (!addTo(key, spec) || !addTo(key, options))
    return nb::cast(Failure{Failure::Unknown});
  arguments.addInputsTo(key);
  if (arguments.hasOutput())
    key.push_back('>');
  arguments.addOutputTo(key);
  if (created) {
    Cache::get().insert(key, nb::find(created));
    return created->run(arguments, out, mayOverlap);
  }
  // This holds it while other threads may clear the cache.
  nb::object found = Cache::get().find(key);
  if (!found.is_valid())
    return nb::cast(Failure{Failure::Unknown});
  return nb::inst_ptr<Operation>(found)->run(arguments, out, mayOverlap);
}

/// Says which arrays, that can be taken as they are, `operation` is for.
void setSignature(Operation &operation, nb::tuple inputs, nb::object out,
                  bool needsOutput) {
  Arguments arguments;
  size_t unreadable;
  if (inputs.size() > kMaxArrays || !arguments.read(inputs, out, unreadable))
    throw nb::value_error("expected arrays that can be taken as they are");
  arguments.addInputsTo(operation.signature);
  arguments.addOutputTo(operation.outputSignature);
  operation.needsOutput = needsOutput;
}

/// Runs an operation on arrays that it may or may not fit. Returns the result
/// or a Failure.
nb::object runOperation(const Operation &operation, nb::tuple inputs,
                        nb::object out, bool mayOverlap) {
  if (inputs.size() > kMaxArrays)
    return nb::cast(Failure{Failure::Unfit});
  Arguments arguments;
  size_t unreadable;
  if (!arguments.read(inputs, out, unreadable))
    return nb::cast(Failure{Failure::Unreadable, unreadable});
  std::string key, outputKey;
  arguments.addInputsTo(key);
  arguments.addOutputTo(outputKey);
  bool fits = arguments.hasOutput() ? outputKey == operation.outputSignature
                                    : !operation.needsOutput;
  if (key != operation.signature || !fits)
    return nb::cast(Failure{Failure::Unfit});
  return operation.run(arguments, out, mayOverlap);
}

/// The type, shape and strides of an array, or None if it cannot be taken as it
/// is.
nb::object describe(nb::object object, bool isOutput) {
  Array array;
  if (!array.read(object, isOutput))
    return nb::none();
  auto toTuple = [](TileirInts ints) {
    nb::list list;
    for (size_t i = 0; i < ints.size; ++i)
      list.append(ints.data[i]);
    return nb::tuple(list);
  };
  return nb::make_tuple(static_cast<int>(array.getType()),
                        toTuple(array.getShape()), toTuple(array.getStrides()));
}

} // namespace

NB_MODULE(_native, module) {
  module.attr("VERSION") = tileirGetVersion();
  // The cache, which lives as long as the process, holds operations.
  nb::set_leak_warnings(false);

  nb::class_<Reinterpreted>(module, "Reinterpreted")
      .def(
          "__init__",
          [](Reinterpreted *self, nb::object array, int type) {
            new (self) Reinterpreted{array, static_cast<TileirType>(type)};
          },
          "array"_a, "type"_a)
      .def_ro("array", &Reinterpreted::array);

  nb::class_<Failure> failure(module, "Failure");
  nb::enum_<Failure::Kind>(failure, "Kind")
      .value("UNREADABLE", Failure::Unreadable)
      .value("UNKNOWN", Failure::Unknown)
      .value("UNFIT", Failure::Unfit)
      .value("OVERLAP", Failure::Overlap)
      .value("ERROR", Failure::Error);
  failure.def_ro("kind", &Failure::kind)
      .def_ro("index", &Failure::index)
      .def_ro("message", &Failure::message)
      .def_prop_ro("error", [](const Failure &self) {
        return nb::make_tuple(static_cast<int>(self.error.kind),
                              self.error.operand, self.error.axis,
                              self.error.position, self.error.length);
      });

  nb::class_<Operation>(module, "Operation")
      .def_ro("shape", &Operation::shape)
      .def_rw("factory", &Operation::factory)
      .def_rw("gives_number", &Operation::givesNumber)
      .def_rw("view_type", &Operation::viewType,
              nb::for_setter(nb::arg("type").none()))
      .def_rw("checks_tables", &Operation::checksTables)
      .def("set_signature", &setSignature, "inputs"_a, "out"_a.none(),
           "needs_output"_a)
      .def_prop_ro(
          "schedule",
          [](const Operation &self) { return tileirGetSchedule(self.handle); })
      .def_prop_ro(
          "tuned",
          [](const Operation &self) { return tileirGetTuned(self.handle); })
      .def_prop_ro("contractions",
                   [](const Operation &self) {
                     return tileirGetContractions(self.handle);
                   })
      .def_prop_ro(
          "flops",
          [](const Operation &self) { return tileirGetFlops(self.handle); })
      .def_prop_ro("seconds", [](const Operation &self) {
        return tileirGetCompileSeconds(self.handle);
      });

  nb::class_<Description>(module, "Description")
      .def(nb::init<std::string, std::vector<Input>, std::vector<Table>,
                    std::string, std::string, int, std::optional<int>,
                    std::optional<Ints>, Ints, bool, int>(),
           "spec"_a, "inputs"_a, "tables"_a, "sizes"_a, "padding"_a, "type"_a,
           "accumulator"_a.none(), "strides_bias"_a.none(), "strides_out"_a,
           "relu"_a, "threads"_a)
      .def_prop_ro("threads", [](const Description &description) {
        return description.einsum.threads;
      });
  module.def("create", &create, "description"_a, "tuned"_a.none());
  module.def("print_program", &printProgram, "description"_a);
  module.def("check_tables", &checkTables, "description"_a, "arrays"_a);
  module.def("call", &call, "spec"_a, "inputs"_a, "out"_a.none(),
             "options"_a.none(), "created"_a.none() = nb::none(),
             "may_overlap"_a = false);
  module.def("run", &runOperation, "operation"_a, "inputs"_a, "out"_a.none(),
             "may_overlap"_a = false);
  defineBundle(module);
  module.def("describe", &describe, "array"_a, "is_output"_a = false);
  module.def("clear_cache", [] {
    Cache::get().clear();
    tileirClearCache();
  });
  module.def("get_cache_info", [] { return Cache::get().getInfo(); });
  module.def("set_cache_limit",
             [](size_t operations) { Cache::get().setLimit(operations); });
}
