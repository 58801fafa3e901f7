"""Runs many command lines of tile-run and tile-opt, which start only once: see `--batch`."""
import atexit
import os
import shlex
import signal
import subprocess
import threading

SECONDS = 300  # after which a command counts as hung: LLVM may take a minute over a kernel without mma
END = "[batch] "
_tools = threading.local()
_all = []


def _start(tool):
    running = vars(_tools).setdefault("running", {})
    if tool not in running:
        running[tool] = subprocess.Popen([tool, "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         stderr=subprocess.STDOUT, text=True, start_new_session=True)
        _all.append(running[tool])
    return running[tool]


def _kill(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass  # It has ended.


@atexit.register
def _end():
    """A tool ends when there are no more command lines."""
    for process in _all:
        try:
            process.communicate(timeout=5)
        except (subprocess.TimeoutExpired, ValueError):
            _kill(process)


def run(command):
    """Returns (exit status or None when it hung, its output). Words of `command` have no line breaks."""
    tool, *words = map(str, command)
    process = _start(tool)
    hung = threading.Event()

    def give_up():
        hung.set()
        _kill(process)

    timer = threading.Timer(SECONDS, give_up)
    timer.start()
    lines, status = [], None
    try:
        process.stdin.write(shlex.join(words) + "\n")
        process.stdin.flush()
        for line in process.stdout:
            # What was printed before may lack its line break.
            text, end, told = line.rpartition(END)
            if end:
                lines.append(text)
                status = int(told)
                break
            lines.append(line)
    except BrokenPipeError:
        pass
    finally:
        timer.cancel()
    if status is None:
        del _tools.running[tool]
        if hung.is_set():
            return None, f"no answer in {SECONDS} s"
        return process.wait(), "".join(lines) + f"{tool} --batch ended"
    return status, "".join(lines)


def compile_flags(number):
    """How case `number` is compiled, as options of tile-run: each fourth is optimized by LLVM as users' programs are, and of
    another fourth what each pass leaves is verified. What the tests are about comes before LLVM, which takes most of the
    time where it optimizes; verifying takes half of the rest."""
    return [f"--opt-level={0 if number % 4 else 3}", *["--verify-each"] * (number % 4 == 2)]
