# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tile-run prints and reports, as findings and errors in terms of the source."""

import json
import re
import signal
from pathlib import Path

from .errors import Finding, LaunchError

PLACE = re.compile(r"^(?P<file>\S.*?):(?P<line>\d+):(?P<column>\d+): (?P<level>error|note): (?P<message>.*)$", re.M)
FAILED = re.compile(r"^tile-run: error: (.*)$", re.M)
ARGUMENT = re.compile(r"('?)argument (\d+)\1(?!\d)")
POISON = re.compile(r"that is poison \([^()]*\)")
STOPPED = "the interpreter stopped"
# What the interpreter, or compiled code with checks, says of an op and not of what a kernel did with it.
UNSUPPORTED = re.compile(r"cannot be (executed|interpreted)|is not supported|has no meaning")
CHECK = re.compile(r"^tile-run: error: (?P<file>\S+\.\w+):(?P<line>\d+):(?P<column>\d+): (?P<message>.*)$", re.M)


def name_arguments(message, names):
    """Argument numbers of messages become names; `names` has them by number."""

    def replace(found):
        number = int(found[2])
        return f"argument {names[number]!r}" if number in names else found[0]

    return ARGUMENT.sub(replace, POISON.sub("that a masked load without 'other' left undefined", message))


def located(text, names):
    """The errors with a place that a text has, with the calls that follow them."""
    found = []
    for match in PLACE.finditer(text):
        file, line, column = match["file"], int(match["line"]), int(match["column"])
        if match["level"] == "error":
            found.append((name_arguments(match["message"], names), [(file, line, column)]))
        elif found and match["message"].startswith("called from"):
            found[-1][1].append((file, line, column))
    return [Finding("check", message, tuple(stack)) for message, stack in found]


def from_report(report, names):
    """The findings of the simulator in a report."""
    for entry in report.get("findings", ()):
        frames = entry.get("stack") or [entry]
        stack = tuple((frame.get("file", ""), frame.get("line", 0), frame.get("column", 0)) for frame in frames)
        block = ",".join(map(str, entry.get("block", ())))
        message = f"{name_arguments(entry['message'], names)}, in program ({block})"
        yield Finding(entry["kind"], message, stack)


def failure(what, output, names, error=LaunchError):
    """The error for a kernel or a function that did not run."""
    places = located(output, names)
    reasons = FAILED.findall(output)
    if places:
        first = places[0]
        return error(f"{what} does not run: {first.file}:{first.line}: {first.message}", (first.file, first.line))
    return error(f"{what} does not run: {'; '.join(reasons) or output.strip() or 'tile-run ended'}")


def stopped(output, names):
    """The faults for which the interpreter, or a check of compiled code, stopped."""
    if STOPPED in output:
        return [finding for finding in located(output, names) if not UNSUPPORTED.search(finding.message)]
    found = CHECK.search(output)
    if found:
        place = found["file"], int(found["line"]), int(found["column"])
        # What compiled code that leaves an array is ended by.
        kind, message = re.fullmatch(r"(?:(out-of-bounds): )?(.*)", found["message"]).groups()
        return [Finding(kind or "check", name_arguments(message, names), (place,))]
    return []


def judge(what, status, output, report, names, backend, error=LaunchError, hidden=""):
    """The findings of a run of `what`, which ended with `status` (see Runner); raises an `error` where there is none and
    it failed. `report` is the path of what tile-run reported; returns its content, too. `hidden` is left out of paths."""
    report = Path(report).read_text() if Path(report).exists() else "{}"
    if hidden:
        output, report = output.replace(hidden, ""), report.replace(hidden, "")
    report = json.loads(report)
    found = list(from_report(report, names))
    if not found and status:
        found = stopped(output, names)
    if not found and status < 0:
        raise error(f"{what} was ended by {signal.Signals(-status).name} on backend {backend!r}: backend 'interp' checks each "
                    "access, and says which is wrong")
    if not found and status:
        raise failure(what, output, names, error)
    return found, report
