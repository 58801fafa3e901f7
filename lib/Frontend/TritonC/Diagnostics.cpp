//===- Diagnostics.cpp - What is wrong with a Triton-C file ---------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Frontend/TritonC/Diagnostics.h"

#include "llvm/Support/raw_ostream.h"

namespace tileir::triton_c {

Place spanPlaces(const Place &first, const Place &last, const Place &about) {
  Place place = about;
  place.range = {first.range.Start, last.range.End};
  // Macros may have brought the three together from anywhere.
  const char *loc = about.loc.getPointer();
  if (loc < place.range.Start.getPointer() ||
      loc >= place.range.End.getPointer())
    place.range = about.range;
  return place;
}

void Diagnostics::add(llvm::SourceMgr::DiagKind kind, const Place &place,
                      const llvm::Twine &message) {
  llvm::SmallVector<llvm::SMRange, 1> ranges;
  unsigned buffer =
      place.loc.isValid() ? sources.FindBufferContainingLoc(place.loc) : 0;
  auto isInside = [&](llvm::SMLoc loc) {
    return loc.isValid() && sources.FindBufferContainingLoc(loc) == buffer;
  };
  if (buffer && isInside(place.range.Start) && isInside(place.range.End))
    ranges.push_back(place.range);
  messages.push_back(sources.GetMessage(buffer ? place.loc : llvm::SMLoc(),
                                        kind, message, ranges));
}

void Diagnostics::error(const Place &place, const llvm::Twine &message) {
  if (++numErrors > kMaxErrors)
    return;
  add(llvm::SourceMgr::DK_Error, place, message);
  llvm::SmallVector<const Expansion *> chain;
  for (const Expansion *e = place.expansion; e; e = e->parent)
    chain.push_back(e);
  for (const Expansion *e : llvm::reverse(chain))
    add(llvm::SourceMgr::DK_Note, {e->spelling, {}, nullptr},
        "in the expansion of macro '" + e->macro + "'");
}

void Diagnostics::warning(const Place &place, const llvm::Twine &message) {
  if (!isFull())
    add(llvm::SourceMgr::DK_Warning, place, message);
}

void Diagnostics::note(const Place &place, const llvm::Twine &message) {
  if (!isFull())
    add(llvm::SourceMgr::DK_Note, place, message);
}

void Diagnostics::print(llvm::raw_ostream &os) const {
  for (const llvm::SMDiagnostic &message : messages)
    message.print(nullptr, os);
  if (isFull())
    os << "more errors follow: these are the first " << kMaxErrors << '\n';
}

llvm::StringRef findNearest(llvm::StringRef name,
                            llvm::ArrayRef<llvm::StringRef> candidates) {
  llvm::StringRef nearest;
  // A third of the letters may be wrong, or all in another order.
  unsigned best = (name.size() + 1) / 3 + 1;
  for (llvm::StringRef candidate : candidates) {
    unsigned distance = name.edit_distance(candidate, true, best);
    if (name.size() > 2 && name.size() == candidate.size() &&
        std::is_permutation(name.begin(), name.end(), candidate.begin()))
      distance = 1;
    if (distance < best && candidate != name) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string suggest(llvm::StringRef name,
                    llvm::ArrayRef<llvm::StringRef> candidates) {
  llvm::StringRef nearest = findNearest(name, candidates);
  return nearest.empty() ? "" : ("; did you mean '" + nearest + "'?").str();
}

} // namespace tileir::triton_c
