//===- GuardedMemory.cpp - Arrays between guard pages ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One reservation of addresses holds a gap, the pages of the first array, a
// gap, and so on. An array ends where its pages end. What its first page has
// before it is filled with a pattern, which tells whether it was written to;
// only reads of it go unnoticed.
//
//===----------------------------------------------------------------------===//

#include "Cpu/GuardedMemory.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;
using namespace tileir::execution;
using namespace tileir::runtime;

static constexpr uint8_t kPattern = 0xA5;
/// Bytes of a gap. They are addresses alone; the smaller number is for
/// processes whose addresses are limited.
static constexpr size_t kGaps[] = {size_t(1) << 30, size_t(1) << 20};

//===----------------------------------------------------------------------===//
// The handler of signals
//===----------------------------------------------------------------------===//

static std::atomic<const GuardedMemory *> active;
static std::atomic_flag isTold = ATOMIC_FLAG_INIT;
static struct sigaction previousSegv, previousBus;

static const char *getVerb(void *context) {
#if defined(__x86_64__)
  // Bit 1 of the page fault's code.
  auto *registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
  return registers[REG_ERR] & 2 ? "writes" : "reads";
#else
  return "accesses";
#endif
}

static void handleFault(int number, siginfo_t *info, void *context) {
  char text[512], line[640];
  const GuardedMemory *memory = active;
  if (memory && memory->describe(static_cast<uint8_t *>(info->si_addr),
                                 getVerb(context), text, sizeof(text))) {
    // Of several threads that come here the first one tells; it ends them all.
    while (isTold.test_and_set())
      pause();
    int length = std::snprintf(line, sizeof(line), "%s: error: %s\n",
                               program_invocation_short_name, text);
    [[maybe_unused]] ssize_t written = write(STDERR_FILENO, line, length);
    _exit(1);
  }
  // The access is made again, and handled as if this had not been here.
  sigaction(number, number == SIGBUS ? &previousBus : &previousSegv, nullptr);
}

static void setHandlers(bool on) {
  struct sigaction action = {};
  action.sa_sigaction = handleFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (auto [number, previous] :
       {std::pair(SIGSEGV, &previousSegv), std::pair(SIGBUS, &previousBus)})
    if (on)
      sigaction(number, &action, previous);
    else
      sigaction(number, previous, nullptr);
}

//===----------------------------------------------------------------------===//
// The memory
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<GuardedMemory>>
GuardedMemory::create(ArrayRef<NDArray> arrays,
                      ArrayRef<GuardedArgument> arguments, std::string where) {
  std::unique_ptr<GuardedMemory> memory(new GuardedMemory());
  memory->where = std::move(where);
  size_t page = sys::Process::getPageSizeEstimate();
  size_t numPages = 0;
  for (const NDArray &array : arrays)
    numPages += divideCeil(array.getNumBytes(), page);
  void *reserved = MAP_FAILED;
  size_t gap = 0;
  for (size_t size : kGaps) {
    gap = size;
    memory->numReserved = gap + numPages * page + arrays.size() * gap;
    reserved = mmap(nullptr, memory->numReserved, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved != MAP_FAILED)
      break;
  }
  if (reserved == MAP_FAILED)
    return createStringError("there is no memory for the arguments");
  memory->reserved = static_cast<uint8_t *>(reserved);

  uint8_t *begin = memory->reserved + gap;
  for (auto [array, argument] : zip_equal(arrays, arguments)) {
    size_t size = alignTo(array.getNumBytes(), page);
    if (size && mprotect(begin, size, PROT_READ | PROT_WRITE))
      return createStringError("there is no memory for the arguments");
    size_t slack = alignDown(size - array.getNumBytes(), argument.alignment);
    std::memset(begin, kPattern, size);
    memory->data.push_back(begin + slack);
    memory->numBytes.push_back(array.getNumBytes());
    memory->names.push_back(argument.name);
    begin += size + gap;
  }
  return memory;
}

GuardedMemory::~GuardedMemory() {
  if (reserved)
    munmap(reserved, numReserved);
}

std::pair<uint8_t *, uint8_t *> GuardedMemory::getPages(size_t i) const {
  size_t page = sys::Process::getPageSizeEstimate();
  auto begin = reinterpret_cast<uintptr_t>(data[i]);
  return {reinterpret_cast<uint8_t *>(alignDown(begin, page)),
          reinterpret_cast<uint8_t *>(alignTo(begin + numBytes[i], page))};
}

void GuardedMemory::start(ArrayRef<NDArray> arrays) {
  for (auto [i, array] : enumerate(arrays))
    std::copy_n(array.getData(), numBytes[i], data[i]);
  if (!active.exchange(this))
    setHandlers(true);
}

Error GuardedMemory::finish(MutableArrayRef<NDArray> arrays) {
  const GuardedMemory *self = this;
  if (active.compare_exchange_strong(self, nullptr))
    setHandlers(false);
  for (auto [i, array] : enumerate(arrays)) {
    auto [first, last] = getPages(i);
    auto isWritten = [](uint8_t byte) { return byte != kPattern; };
    // The one that is nearest to the array.
    uint8_t *written = std::find_if(data[i] + numBytes[i], last, isWritten);
    if (written == last) {
      auto before = std::find_if(std::reverse_iterator(data[i]),
                                 std::reverse_iterator(first), isWritten);
      written = before.base() == first ? nullptr : &*before;
    }
    char text[512];
    if (written)
      return createStringError(describe(written, "writes", text, sizeof(text)));
    std::copy_n(data[i], numBytes[i], array.getData());
  }
  return Error::success();
}

const char *GuardedMemory::describe(const uint8_t *address, const char *verb,
                                    char *buffer, size_t size) const {
  if (address < reserved || address >= reserved + numReserved)
    return nullptr;
  size_t nearest = 0, distance = SIZE_MAX;
  bool isBehind = false;
  for (size_t i = 0; i < data.size(); ++i) {
    const uint8_t *begin = data[i], *end = begin + numBytes[i];
    if (address >= begin && address < end)
      return nullptr;
    size_t next = address < begin ? begin - address : address - end;
    if (next >= distance)
      continue;
    nearest = i;
    distance = next;
    isBehind = address >= end;
  }
  std::snprintf(buffer, size,
                "%s%s %zu bytes %s of %s, which has %zu bytes: the interpreter "
                "tells which access",
                where.c_str(), verb, distance,
                isBehind ? "behind the end" : "before the start",
                names[nearest].c_str(), numBytes[nearest]);
  return buffer;
}
