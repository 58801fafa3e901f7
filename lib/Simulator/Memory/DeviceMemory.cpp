//===- DeviceMemory.cpp ---------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each buffer is a mapping of its own, followed by a large range of addresses
// that are reserved and never given to anything else: an index that runs out of
// its buffer is found, not another buffer's bytes.
//
//===----------------------------------------------------------------------===//

#include "tileir/Simulator/DeviceMemory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace tileir::sim;
using llvm::Error;
using llvm::formatv;

/// Addresses behind each buffer that nothing else gets.
constexpr uint64_t kGuard = uint64_t(1) << 30;

static Error fail(std::string message) {
  return llvm::createStringError(std::move(message));
}

/// The bytes of a buffer's mapping, without the guard: whole pages, one if the
/// buffer is empty.
static uint64_t getMappedBytes(uint64_t bytes) {
  return llvm::alignTo(std::max<uint64_t>(bytes, 1),
                       llvm::sys::Process::getPageSizeEstimate());
}

static void release(Buffer &buffer) {
  std::free(buffer.writers);
  std::free(buffer.atomics);
  std::free(buffer.waves);
  if (buffer.owned)
    munmap(reinterpret_cast<void *>(buffer.begin),
           getMappedBytes(buffer.size) + kGuard);
}

/// Large buffers share the pages of one file of 0xff bytes until they write to
/// them: a program may allocate more than it uses.
constexpr uint64_t kFillBytes = uint64_t(64) << 20;

/// That file, kFillBytes long; -1: there is none.
static int getFill() {
  static const int file = [] {
    int file = memfd_create("fill", MFD_CLOEXEC);
    if (file < 0)
      return -1;
    void *bytes = MAP_FAILED;
    if (ftruncate(file, kFillBytes) == 0)
      bytes = mmap(nullptr, kFillBytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                   file, 0);
    if (bytes == MAP_FAILED) {
      close(file);
      return -1;
    }
    std::memset(bytes, 0xff, kFillBytes);
    munmap(bytes, kFillBytes);
    return file;
  }();
  return file;
}

/// Makes memory of reserved addresses, whole pages, with 0xff in each byte.
static bool mapFilled(uint8_t *begin, uint64_t bytes) {
  if (bytes >= kFillBytes && getFill() >= 0) {
    for (uint64_t offset = 0; offset < bytes; offset += kFillBytes)
      if (mmap(begin + offset, std::min(kFillBytes, bytes - offset),
               PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE,
               getFill(), 0) == MAP_FAILED)
        return false;
    return true;
  }
  if (mprotect(begin, bytes, PROT_READ | PROT_WRITE) != 0)
    return false;
  std::memset(begin, 0xff, bytes);
  return true;
}

/// The first buffer that begins behind `address`.
static auto findBehind(const std::vector<std::unique_ptr<Buffer>> &buffers,
                       uint64_t address) {
  return llvm::upper_bound(
      buffers, address,
      [](uint64_t address, const std::unique_ptr<Buffer> &buffer) {
        return address < buffer->begin;
      });
}

static std::string describe(const Buffer &buffer) {
  return formatv("'{0}' at [{1:x}, {2:x})", buffer.name, buffer.begin,
                 buffer.end());
}

void Buffer::noteWritten(uint64_t offset, uint64_t bytes, Writer by) {
  if (!isTracked || bytes == 0)
    return;
  if (bytes < size) {
    written.resize(size, Writer::None);
    auto begin = written.begin() + offset, end = begin + bytes;
    numWritten += std::count(begin, end, Writer::None);
    std::fill(begin, end, by);
    if (numWritten < size)
      return;
  }
  isTracked = false;
  written = {};
}

DeviceMemory::~DeviceMemory() {
  for (const std::unique_ptr<Buffer> &buffer : buffers)
    release(*buffer);
}

llvm::Expected<void *> DeviceMemory::allocate(uint64_t bytes,
                                              std::string name) {
  // More would be given, and end this process when it is filled.
  const uint64_t most =
      uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGESIZE));
  if (bytes > most)
    return fail(formatv("cannot allocate {0} bytes of device memory: expected "
                        "at most the host's {1}",
                        bytes, most));
  void *address = mmap(nullptr, getMappedBytes(bytes) + kGuard, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED)
    return fail(formatv("cannot allocate {0} bytes of device memory: no "
                        "addresses are left ({1})",
                        bytes, std::strerror(errno)));
  auto buffer = std::make_unique<Buffer>();
  buffer->begin = reinterpret_cast<uint64_t>(address);
  buffer->size = bytes;
  buffer->name = name.empty() ? "unnamed" : std::move(name);
  if (!mapFilled(static_cast<uint8_t *>(address), getMappedBytes(bytes))) {
    std::string reason = std::strerror(errno);
    release(*buffer);
    return fail(formatv("cannot allocate {0} bytes of device memory: {1}",
                        bytes, reason));
  }
  // Its addresses, with the guard, may be those of several that were freed.
  freed.erase(
      freed.lower_bound(buffer->begin),
      freed.lower_bound(buffer->begin + getMappedBytes(bytes) + kGuard));
  buffers.insert(findBehind(buffers, buffer->begin), std::move(buffer));
  return address;
}

llvm::Error DeviceMemory::free(void *address) {
  auto place = llvm::find_if(buffers, [&](const auto &buffer) {
    return buffer->begin == reinterpret_cast<uint64_t>(address);
  });
  if (place == buffers.end())
    return fail(formatv("cannot free {0}: expected the address of a device "
                        "buffer that has not been freed",
                        address));
  if (!(*place)->owned)
    return fail(formatv("cannot free {0}: expected device memory, found the "
                        "registered host memory {1}",
                        address, describe(**place)));
  freed[(*place)->begin] = {(*place)->size, std::move((*place)->name)};
  release(**place);
  buffers.erase(place);
  return Error::success();
}

llvm::Error DeviceMemory::registerHost(void *address, uint64_t bytes,
                                       std::string name) {
  uint64_t begin = reinterpret_cast<uint64_t>(address), end = begin + bytes;
  if (begin < kGlobalBase || end < begin)
    return fail(formatv("cannot register host memory [{0:x}, {0:x} + {1}): "
                        "expected addresses from {2:x} on",
                        begin, bytes, kGlobalBase));
  auto behind = findBehind(buffers, begin);
  const Buffer *other = nullptr;
  if (behind != buffers.end() &&
      ((*behind)->begin < end || (*behind)->begin == begin))
    other = behind->get();
  if (behind != buffers.begin()) {
    const Buffer &before = **std::prev(behind);
    if (before.end() > begin || before.begin == begin)
      other = &before;
  }
  if (other)
    return fail(formatv("cannot register host memory [{0:x}, {1:x}): it "
                        "overlaps {2}",
                        begin, end, describe(*other)));
  auto buffer = std::make_unique<Buffer>();
  buffer->begin = begin;
  buffer->size = bytes;
  buffer->name = name.empty() ? "host memory" : std::move(name);
  buffer->owned = false;
  buffers.insert(behind, std::move(buffer));
  return Error::success();
}

llvm::Error DeviceMemory::unregisterHost(void *address) {
  auto place = llvm::find_if(buffers, [&](const auto &buffer) {
    return !buffer->owned &&
           buffer->begin == reinterpret_cast<uint64_t>(address);
  });
  if (place == buffers.end())
    return fail(formatv("cannot unregister {0}: expected the address of "
                        "registered host memory",
                        address));
  release(**place);
  buffers.erase(place);
  return Error::success();
}

Buffer *DeviceMemory::find(uint64_t address) {
  auto behind = findBehind(buffers, address);
  if (behind == buffers.begin())
    return nullptr;
  Buffer &buffer = **std::prev(behind);
  return address < buffer.end() ? &buffer : nullptr;
}

const DeviceMemory::Freed *DeviceMemory::findFreed(uint64_t address) const {
  auto behind = freed.upper_bound(address);
  if (behind == freed.begin())
    return nullptr;
  const auto &[begin, buffer] = *std::prev(behind);
  return address - begin < buffer.bytes ? &buffer : nullptr;
}

Buffer *DeviceMemory::findNearest(uint64_t address) {
  auto behind = findBehind(buffers, address);
  if (behind == buffers.begin())
    return buffers.empty() ? nullptr : buffers.front().get();
  Buffer &before = **std::prev(behind);
  if (behind == buffers.end() || address < before.end())
    return &before;
  return (*behind)->begin - address < address - before.end() ? behind->get()
                                                             : &before;
}
