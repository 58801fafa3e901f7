//===- TensorOperation.cpp - Operations compiled for this CPU -------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations of this process, by all fields of their descriptions. The
// machine is no part of the key, for a process has one. Two locks: one for the
// table, which is held for a look-up only, and one for the compiler, so that a
// thread that finds its operation never waits for another's compilation. Where
// there are more than may be kept, those go that were not asked for the
// longest.
//
//===----------------------------------------------------------------------===//

#include "tileir/TensorOperation/TensorOperation.h"

#include "Compiler.h"
#include "DetailedError.h"
#include "TableChecks.h"
#include "Validation.h"

#include <list>
#include <mutex>
#include <string_view>
#include <unordered_map>

using namespace llvm;
using namespace tileir;
using namespace tileir::tensor_operation;

TensorOperation::TensorOperation() = default;
TensorOperation::~TensorOperation() = default;

/// Operations that are kept unless somebody says otherwise: some 100 MB of
/// code.
static constexpr size_t kCacheLimit = 4096;

namespace {

/// All of a description as bytes: each vector after its length, so that no two
/// descriptions have the same.
class KeyWriter {
public:
  template <typename T> KeyWriter &add(T value) {
    static_assert(std::is_enum_v<T> || std::is_integral_v<T>);
    int64_t word = static_cast<int64_t>(value);
    key.append(reinterpret_cast<const char *>(&word), sizeof(word));
    return *this;
  }
  template <typename T> KeyWriter &add(const std::vector<T> &values) {
    add(values.size());
    for (const T &value : values)
      add(value);
    return *this;
  }
  KeyWriter &add(const TableDescription &table) {
    return add(table.name).add(table.type).add(table.shape);
  }
  KeyWriter &add(const std::string &text) {
    add(text.size());
    key += text;
    return *this;
  }
  std::string take() { return std::move(key); }

private:
  std::string key;
};

std::string getKey(const OperationDescription &d) {
  return KeyWriter()
      .add('o')
      .add(d.type)
      .add(d.firstTouch)
      .add(d.main)
      .add(d.lastTouch)
      .add(d.dimTypes)
      .add(d.execTypes)
      .add(d.dimSizes)
      .add(d.stridesIn0)
      .add(d.stridesIn1)
      .add(d.stridesOut)
      .add(d.stridesBias)
      .add(d.optimize)
      .add(d.threads)
      .take();
}

std::string getKey(const EinsumDescription &d) {
  return KeyWriter()
      .add('e')
      .add(d.spec)
      .add(d.type)
      .add(d.shapes)
      .add(d.sizes)
      .add(d.padding)
      .add(d.firstTouch)
      .add(d.lastTouch)
      .add(d.stridesBias)
      .add(d.threads)
      .add(d.strides)
      .add(d.stridesOut)
      .add(d.inputTypes)
      .add(d.accumulator ? static_cast<int64_t>(*d.accumulator) : -1)
      .add(d.tables)
      .add(d.tuned.has_value())
      .add(d.tuned.value_or(""))
      .take();
}

/// The state that all threads share. It is never destroyed: threads may still
/// run operations when the process ends.
class Cache {
public:
  static Cache &get() {
    static Cache *cache = new Cache();
    return *cache;
  }

  template <typename Description>
  Expected<TensorOperation::Pointer> create(const Description &description) {
    std::string key = getKey(description);
    if (TensorOperation::Pointer operation = find(key))
      return operation;
    if (Error error = validate(description))
      return std::move(error);
    std::lock_guard<std::mutex> guard(compilerLock);
    // Another thread may have compiled it while this one waited.
    if (TensorOperation::Pointer operation = find(key))
      return operation;
    if (Error error = startCompiler())
      return std::move(error);
    auto operation = compiler->compile(description);
    if (operation)
      insert(std::move(key), *operation);
    return operation;
  }

  Expected<std::string> printProgram(const EinsumDescription &description) {
    if (Error error = validate(description))
      return std::move(error);
    std::lock_guard<std::mutex> guard(compilerLock);
    if (Error error = startCompiler())
      return std::move(error);
    return compiler->printProgram(description);
  }

  Error checkTables(const EinsumDescription &description,
                    const void *const *tables) {
    if (Error error = validate(description))
      return error;
    std::lock_guard<std::mutex> guard(compilerLock);
    if (Error error = startCompiler())
      return error;
    return compiler->checkTables(description, tables);
  }

  void clear() {
    Entries old;
    std::lock_guard<std::mutex> guard(tableLock);
    table.clear();
    // Destroyed after the lock is given back.
    std::swap(old, entries);
  }

  void setLimit(size_t operations) {
    Entries old;
    std::lock_guard<std::mutex> guard(tableLock);
    statistics.limit = operations;
    dropOldest(old);
  }

  CacheStatistics getStatistics() {
    std::lock_guard<std::mutex> guard(tableLock);
    statistics.size = entries.size();
    return statistics;
  }

private:
  /// An operation and its key, which the table has a view of. The first one was
  /// asked for last.
  struct Entry {
    std::string key;
    TensorOperation::Pointer operation;
  };
  using Entries = std::list<Entry>;

  /// Makes the compiler, once; with its lock.
  Error startCompiler() {
    if (compiler)
      return Error::success();
    return OperationCompiler::create().moveInto(compiler);
  }

  TensorOperation::Pointer find(const std::string &key) {
    std::lock_guard<std::mutex> guard(tableLock);
    auto found = table.find(key);
    if (found == table.end())
      return nullptr;
    ++statistics.hits;
    entries.splice(entries.begin(), entries, found->second);
    return found->second->operation;
  }

  void insert(std::string key, TensorOperation::Pointer operation) {
    Entries old;
    std::lock_guard<std::mutex> guard(tableLock);
    ++statistics.misses;
    entries.push_front({std::move(key), std::move(operation)});
    table.emplace(entries.front().key, entries.begin());
    dropOldest(old);
  }

  /// Moves what is too much to `old`, for who calls this to destroy.
  void dropOldest(Entries &old) {
    while (entries.size() > statistics.limit) {
      table.erase(entries.back().key);
      old.splice(old.begin(), entries, std::prev(entries.end()));
    }
  }

  std::mutex tableLock;
  Entries entries;
  std::unordered_map<std::string_view, Entries::iterator> table;
  CacheStatistics statistics = {0, 0, 0, kCacheLimit};

  std::mutex compilerLock;
  std::unique_ptr<OperationCompiler> compiler;
};

/// A value, or one that stands for none and what went wrong.
template <typename T>
T takeValue(Expected<T> value, std::string &message, ErrorDetails *details) {
  if (value)
    return std::move(*value);
  ErrorDetails found;
  std::tie(message, found) = takeDetails(value.takeError());
  if (details)
    *details = found;
  return T();
}

} // namespace

TensorOperation::Pointer
TensorOperation::create(const OperationDescription &description,
                        std::string &message, ErrorDetails *details) {
  return takeValue(Cache::get().create(description), message, details);
}

TensorOperation::Pointer
TensorOperation::create(const EinsumDescription &description,
                        std::string &message, ErrorDetails *details) {
  return takeValue(Cache::get().create(description), message, details);
}

std::string TensorOperation::printProgram(const EinsumDescription &description,
                                          std::string &message,
                                          ErrorDetails *details) {
  return takeValue(Cache::get().printProgram(description), message, details);
}

bool TensorOperation::checkTables(const EinsumDescription &description,
                                  const void *const *tables,
                                  std::string &message, ErrorDetails *details) {
  Error error = Cache::get().checkTables(description, tables);
  if (!error)
    return true;
  takeValue<bool>(std::move(error), message, details);
  return false;
}

void TensorOperation::clearCache() { Cache::get().clear(); }

void TensorOperation::setCacheLimit(size_t operations) {
  Cache::get().setLimit(operations);
}

CacheStatistics TensorOperation::getCacheStatistics() {
  return Cache::get().getStatistics();
}

bool TensorOperation::runChecked(const void *const *inputs, void *output,
                                 std::string &message,
                                 ErrorDetails *details) const {
  if (tableChecks)
    if (auto failure = tableChecks->check(inputs)) {
      message = failure->message;
      if (details)
        *details = failure->details;
      return false;
    }
  function(inputs, output);
  return true;
}
