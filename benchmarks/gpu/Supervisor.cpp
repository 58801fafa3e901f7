//===- Supervisor.cpp - Work that may hang or crash -----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines go through a pipe: an attempt, or an empty one at its end.
//
//===----------------------------------------------------------------------===//

#include "Supervisor.h"

#include <csignal>
#include <cstdio>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tileir::bench;

void Attempts::say(std::string line) const {
  line += '\n';
  if (write(pipe, line.data(), line.size()) != ssize_t(line.size()))
    std::perror("gpu-measure");
}

/// The attempt that the child did not end; `isHanging` if it has not ended
/// itself either.
static std::string listen(int pipe, unsigned seconds, bool &isHanging) {
  std::string attempt, line;
  isHanging = false;
  while (true) {
    pollfd events = {pipe, POLLIN, 0};
    int ready = poll(&events, 1, attempt.empty() ? -1 : int(1000 * seconds));
    char text[512];
    ssize_t length = ready > 0 ? read(pipe, text, sizeof(text)) : 0;
    isHanging = ready == 0;
    if (length <= 0)
      return attempt;
    for (ssize_t i = 0; i < length; ++i) {
      if (text[i] != '\n') {
        line += text[i];
        continue;
      }
      attempt = line;
      line.clear();
    }
  }
}

int tileir::bench::supervise(
    unsigned seconds, const std::function<int(const Attempts &)> &work,
    const std::function<void(const std::string &, const std::string &)> &fail) {
  while (true) {
    int ends[2];
    std::fflush(nullptr);
    pid_t child = pipe(ends) == 0 ? fork() : -1;
    if (child < 0) {
      std::perror("gpu-measure");
      return 1;
    }
    if (child == 0) {
      close(ends[0]);
      prctl(PR_SET_PDEATHSIG, SIGKILL); // None goes on when the parent is gone.
      return work(Attempts(ends[1]));
    }
    close(ends[1]);
    bool isHanging = false;
    std::string attempt = listen(ends[0], seconds, isHanging);
    if (isHanging)
      kill(child, SIGKILL);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    bool isOver = WIFEXITED(status);
    if (!isOver && !attempt.empty())
      fail(attempt, isHanging
                        ? "no end after " + std::to_string(seconds) + " seconds"
                        : "signal " + std::to_string(WTERMSIG(status)));
    else if (!isOver || WEXITSTATUS(status) != kAgain)
      return isOver ? WEXITSTATUS(status) : 1;
  }
}
