//===- Batch.cpp - Many command lines of one tool -------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs a tool that has registered all that its command lines use.
//
//===----------------------------------------------------------------------===//

#include "Batch.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

bool tileir::isBatch(int argc, char **argv) {
  return argc == 2 && StringRef(argv[1]) == "--batch";
}

/// Runs a command line in a fork of this process; returns what waitpid tells of
/// it, or nothing where there can be no process.
static std::optional<int> runForked(char *tool, StringRef line,
                                    function_ref<int(int, char **)> run) {
  pid_t child = fork();
  if (child < 0)
    return std::nullopt;
  if (child == 0) {
    BumpPtrAllocator allocator;
    StringSaver saver(allocator);
    SmallVector<const char *> words = {tool};
    cl::TokenizeGNUCommandLine(line, saver, words);
    int argc = words.size();
    words.push_back(nullptr);
    int status = run(argc, const_cast<char **>(words.data()));
    outs().flush();
    std::fflush(nullptr);
    // What the destructors of this process free belongs to its parent, too.
    std::_Exit(status);
  }
  int told = 0;
  if (waitpid(child, &told, 0) < 0)
    return std::nullopt;
  return told;
}

int tileir::runBatch(char *tool, function_ref<int(int, char **)> run) {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::optional<int> told = runForked(tool, line, run);
    if (!told) {
      WithColor::error(errs(), tool)
          << "--batch: expected another process to be possible\n";
      return 1;
    }
    outs() << "[batch] "
           << (WIFSIGNALED(*told) ? -WTERMSIG(*told) : WEXITSTATUS(*told))
           << '\n';
    outs().flush();
  }
  return 0;
}
