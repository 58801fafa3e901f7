# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tile-run as a process that stays: `tile-run --batch` reads command lines, and forks for each."""

import atexit
import contextlib
import os
import shlex
import signal
import subprocess
import threading

END = "[batch] "


class Runner:
    """Runs command lines of tile-run, one at a time."""

    def __init__(self, program):
        self.program = program
        self.lock = threading.Lock()
        self.process, self.owner = None, None

    def _start(self):
        # A child of fork() must not share its parent's pipes.
        if self.process is None or self.owner != os.getpid() or self.process.poll() is not None:
            self.process = subprocess.Popen([self.program, "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.STDOUT, text=True, start_new_session=True)
            self.owner = os.getpid()
        return self.process

    def _kill(self, process):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass  # It has ended.

    def run(self, words, timeout):
        """(exit status, or None after `timeout` seconds, and the output)."""
        with self.lock:
            process = self._start()
            late = threading.Event()

            def give_up():
                late.set()
                self._kill(process)

            timer = threading.Timer(timeout, give_up)
            timer.start()
            lines = []
            try:
                process.stdin.write(shlex.join(words) + "\n")
                process.stdin.flush()
                for line in process.stdout:
                    text, end, status = line.rpartition(END)
                    if end:
                        return int(status), "".join([*lines, text])
                    lines.append(line)
            except BrokenPipeError:
                pass
            except BaseException:  # such as Ctrl-C: what it would still say belongs to nobody
                self.process = None
                self._kill(process)
                process.wait()
                raise
            finally:
                timer.cancel()
            self.process = None
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
            process.stdout.close()
            status = process.wait()
            return (None if late.is_set() else status), "".join(lines)

    def close(self):
        if self.process is not None and self.owner == os.getpid():
            self.process.communicate()
        self.process = None


_runners = {}


def get_runner(program):
    """The runner of a program that all calls share, one for each current folder: options may have relative paths."""
    key = program, os.getcwd()
    if key not in _runners:
        _runners[key] = Runner(program)
    return _runners[key]


@atexit.register
def _close():
    for runner in _runners.values():
        runner.close()
