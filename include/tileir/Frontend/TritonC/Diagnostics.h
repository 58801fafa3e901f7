//===- Diagnostics.h - What is wrong with a Triton-C file -------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Places in the source, and messages about them. A file gets at most 20 errors.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_FRONTEND_TRITONC_DIAGNOSTICS_H
#define TILEIR_FRONTEND_TRITONC_DIAGNOSTICS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/SourceMgr.h"

#include <vector>

namespace tileir::triton_c {

/// Where a macro's body spells what stands at a place.
struct Expansion {
  llvm::StringRef macro;
  llvm::SMLoc spelling;
  /// The expansion that this one is in; null if it is in none.
  const Expansion *parent = nullptr;
};

/// A range of the source with the character that it is about. Within macros it
/// is where the outermost of them is used.
struct Place {
  llvm::SMLoc loc;
  llvm::SMRange range;
  const Expansion *expansion = nullptr;
};

/// From the start of one place to the end of another, about a third.
Place spanPlaces(const Place &first, const Place &last, const Place &about);

/// Collects messages.
class Diagnostics {
public:
  static constexpr unsigned kMaxErrors = 20;

  explicit Diagnostics(llvm::SourceMgr &sources) : sources(sources) {}

  llvm::SourceMgr &getSources() { return sources; }
  /// Adds an error, and a note for each macro that it is in. Those after the
  /// first 20 are dropped.
  void error(const Place &place, const llvm::Twine &message);
  void warning(const Place &place, const llvm::Twine &message);
  /// Adds a note to the last error, if that was not dropped.
  void note(const Place &place, const llvm::Twine &message);
  bool hasErrors() const { return numErrors != 0; }
  /// Whether there is no use in going on.
  bool isFull() const { return numErrors > kMaxErrors; }
  llvm::ArrayRef<llvm::SMDiagnostic> getMessages() const { return messages; }
  /// Prints all messages with their lines and carets.
  void print(llvm::raw_ostream &os) const;

private:
  void add(llvm::SourceMgr::DiagKind kind, const Place &place,
           const llvm::Twine &message);

  llvm::SourceMgr &sources;
  std::vector<llvm::SMDiagnostic> messages;
  unsigned numErrors = 0;
};

/// That of `candidates` that `name` may be a slip for; empty if none is near.
llvm::StringRef findNearest(llvm::StringRef name,
                            llvm::ArrayRef<llvm::StringRef> candidates);
/// ", did you mean 'x'?" for the nearest candidate, or nothing.
std::string suggest(llvm::StringRef name,
                    llvm::ArrayRef<llvm::StringRef> candidates);

} // namespace tileir::triton_c

#endif // TILEIR_FRONTEND_TRITONC_DIAGNOSTICS_H
