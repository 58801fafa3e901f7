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
// thread that finds its operation never waits for another's compilation.
//
//===----------------------------------------------------------------------===//

#include "tileir/TensorOperation/TensorOperation.h"

#include "Compiler.h"
#include "Validation.h"

#include <map>
#include <mutex>

using namespace llvm;
using namespace tileir;
using namespace tileir::tensor_operation;

TensorOperation::TensorOperation() = default;
TensorOperation::~TensorOperation() = default;

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
      .take();
}

/// The state that all threads share. It is never destroyed: threads may still
/// run operations when the process ends.
struct Cache {
  std::mutex tableLock;
  std::map<std::string, TensorOperation::Pointer> table;

  std::mutex compilerLock;
  std::unique_ptr<OperationCompiler> compiler;

  static Cache &get() {
    static Cache *cache = new Cache();
    return *cache;
  }

  TensorOperation::Pointer find(const std::string &key) {
    std::lock_guard<std::mutex> guard(tableLock);
    auto entry = table.find(key);
    return entry == table.end() ? nullptr : entry->second;
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
    if (!compiler) {
      auto created = OperationCompiler::create();
      if (!created)
        return created.takeError();
      compiler = std::move(*created);
    }
    auto operation = compiler->compile(description);
    if (operation) {
      std::lock_guard<std::mutex> tableGuard(tableLock);
      table.emplace(std::move(key), *operation);
    }
    return operation;
  }
};

template <typename Description>
TensorOperation::Pointer createOperation(const Description &description,
                                         std::string &message) {
  auto operation = Cache::get().create(description);
  if (operation)
    return *operation;
  message = toString(operation.takeError());
  return nullptr;
}

} // namespace

TensorOperation::Pointer
TensorOperation::create(const OperationDescription &description,
                        std::string &message) {
  return createOperation(description, message);
}

TensorOperation::Pointer
TensorOperation::create(const EinsumDescription &description,
                        std::string &message) {
  return createOperation(description, message);
}

void TensorOperation::clearCache() {
  Cache &cache = Cache::get();
  std::map<std::string, Pointer> old;
  std::lock_guard<std::mutex> guard(cache.tableLock);
  // Destroyed after the lock is given back.
  std::swap(old, cache.table);
}
