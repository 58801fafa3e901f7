//===- TileRoles.cpp - Roles that take turns ------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each role runs with a copy of the evaluator, which knows the values before
// `tile.roles`. Channels and memory are common.
//
//===----------------------------------------------------------------------===//

#include "Tile/TileRoles.h"

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "llvm/Support/thread.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;

/// Enough for as many regions within each other as the evaluator allows.
static constexpr unsigned kStackBytes = 8u << 20;

void Turns::passTurn(unsigned role) {
  std::unique_lock<std::mutex> lock(mutex);
  for (size_t i = 1; i <= roles.size(); ++i) {
    unsigned next = (role + i) % roles.size();
    if (roles[next].hasEnded)
      continue;
    turn = next;
    changed.notify_all();
    break;
  }
  if (!roles[role].hasEnded)
    changed.wait(lock, [&] { return turn == role; });
}

LogicalResult Turns::emitDeadlock(unsigned role) {
  hasFailed = true;
  InFlightDiagnostic diagnostic = roles[role].waiting->emitError("waits ")
                                  << roles[role].what
                                  << ", and no role can go on";
  for (const Role &other : roles)
    if (!other.hasEnded && &other != &roles[role])
      diagnostic.attachNote(other.waiting->getLoc())
          << "another role waits " << other.what;
  return diagnostic;
}

LogicalResult Turns::waitUntil(unsigned role, Operation *op,
                               llvm::function_ref<bool()> isReady,
                               llvm::function_ref<std::string()> describe) {
  while (!isReady()) {
    roles[role].waiting = op;
    roles[role].what = describe();
    roles[role].progress = progress;
    if (llvm::all_of(roles, [&](const Role &other) {
          return other.hasEnded ||
                 (other.waiting && other.progress == progress);
        }))
      return emitDeadlock(role);
    passTurn(role);
    if (hasFailed)
      return failure();
  }
  roles[role].waiting = nullptr;
  return success();
}

LogicalResult Turns::run(llvm::function_ref<LogicalResult(unsigned)> run) {
  std::vector<llvm::thread> threads;
  for (unsigned role = 0; role < roles.size(); ++role)
    threads.emplace_back(std::optional<unsigned>(kStackBytes), [&, role] {
      {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [&] { return turn == role; });
      }
      if (!hasFailed && failed(run(role)))
        hasFailed = true;
      roles[role].hasEnded = true;
      passTurn(role);
    });
  for (llvm::thread &thread : threads)
    thread.join();
  return failure(hasFailed);
}

static LogicalResult runRoles(Evaluator &evaluator, tile::RolesOp op) {
  Turns turns(op.getRoles().size());
  LogicalResult result = turns.run([&](unsigned role) -> LogicalResult {
    Evaluator copy = evaluator;
    copy.turns = &turns;
    copy.role = role;
    copy.pendingCopies.clear();
    auto end = copy.run(op.getRoles()[role], {});
    evaluator.noteReduction(copy.longestReduction);
    return end;
  });
  return failure(failed(result) || failed(checkChannels(*evaluator.channels)));
}

void interp::addTileRoleHandlers(HandlerTable &table) { table.add(runRoles); }
