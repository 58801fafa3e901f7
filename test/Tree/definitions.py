# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One definition of each name: no two files define the same type or function.

    definitions.py FOLDER...

Of what the linker sees: a static function, or what is in an anonymous namespace,
belongs to its file. Two definitions of a type in one program are an error that
no tool has to report, and that goes unnoticed until the wrong one is used.

No compiler is needed. A source is cut into tokens; comments, literals and directives fall away. What is
left is read one declaration at a time: a namespace is entered, any other braces
are skipped as a whole. A declaration with braces defines a type, if one of the
class keys comes before the first parenthesis, and else a function or a variable.
"""

import re
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/'                                        # comments
    r'|^[ \t]*\#(?:[^\n\\]|\\.)*'                                # directives
    r'|R"(?P<raw>[^(\s]*)\(.*?\)(?P=raw)"'                       # raw strings
    r'''|"(?:[^"\\\n]|\\.)*"|(?<![0-9A-Za-z_])(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+\''''
    r"|[A-Za-z_][A-Za-z0-9_]*|\.?[0-9](?:'?[0-9A-Za-z_.]|(?<=[eEpP])[+-])*"
    r'|::|->|\n|[^\s]', re.S | re.M)
CLASS_KEYS = ("class", "struct", "union", "enum")
# Words before parentheses that are not the name of a function.
NOT_NAMES = ("decltype", "alignas", "noexcept", "sizeof", "requires", "explicit", "__attribute__")


@dataclass(frozen=True)
class Definition:
    kind: str  # "type" or "function"
    name: str  # qualified, with the types of parameters for a function
    internal: bool  # not seen by the linker: static or in an anonymous namespace
    line: int


def tokens(text):
    """Pairs of a token and its line; literals are kept as `""`."""
    line = 1
    for match in TOKEN.finditer(text):
        token = match.group()
        if token[0] in "\"'" or token.startswith('R"') or (token[-1] == "'" and len(token) > 1):
            yield '""', line
        elif not token.startswith(("//", "/*")) and not token.lstrip().startswith("#") and token != "\n":
            yield token, line
        line += token.count("\n")


def matching(stream, start):
    """Index of the token that closes the one at `start`."""
    opening = stream[start][0]
    closing = {"(": ")", "{": "}", "[": "]", "<": ">"}[opening]
    depth = 0
    for i in range(start, len(stream)):
        token = stream[i][0]
        depth += (token == opening) - (token == closing)
        if depth == 0:
            return i
        if opening == "<" and token in ";{":
            break
    return start if opening == "<" else len(stream) - 1


def parameter_types(words):
    """The types of a parameter list: names and default values fall away."""
    types, current, depth = [], [], 0
    for word in [*words, ","]:
        depth += (word in "(<[{") - (word in ")>]}")
        if word == "," and depth <= 0:
            if "=" in current:
                current = current[:current.index("=")]
            # The last word is the name, if a type comes before it.
            if len(current) > 1 and re.match(r"[A-Za-z_]\w*$", current[-1]) and current[-2] not in ("::", "const", "struct"):
                current = current[:-1]
            types.append(" ".join(current))
            current = []
        else:
            current.append(word)
    return ", ".join(t for t in types if t)


def declared(words):
    """(kind, name) of what a declaration with braces defines, or None. `words` end before the brace."""
    # A template's parameters come first.
    while words and words[0] == "template":
        stream = [(w, 0) for w in words]
        end = matching(stream, 1) if len(words) > 1 and words[1] == "<" else 0
        words = words[end + 1:] if end else words[1:]
    first = words.index("(") if "(" in words else len(words)
    keys = [i for i in range(first) if words[i] in CLASS_KEYS]
    equals = words.index("=") if "=" in words[:first] and "operator" not in words[:first] else None
    if equals is not None:
        return None
    if keys:
        # struct [[attribute]] Name final : Base
        rest = [w for w in words[keys[0] + 1:] if w not in CLASS_KEYS]
        while rest and rest[0] == "[":
            rest = rest[matching([(w, 0) for w in rest], 0) + 1:]
        name = []
        for i, word in enumerate(rest):
            if word in (":", "final"):
                break
            if word == "<":
                # A specialization is a definition of its own.
                name.append("".join(rest[i:matching([(w, 0) for w in rest], i) + 1]))
                break
            name.append(word)
        return ("type", "".join(name)) if name else None
    if first == len(words) or first == 0:
        return None
    end = matching([(w, 0) for w in words], first)
    if "operator" in words[:first]:
        at = words.index("operator")
        if words[at + 1:at + 3] == ["(", ")"]:
            first, end = at + 3, matching([(w, 0) for w in words], at + 3)
        name = "".join(words[at:first])
    else:
        at = first - 1
        name = words[at]
        if not re.match(r"[A-Za-z_]\w*$", name) or name in NOT_NAMES:
            return None
        if words[at - 1] == "~":
            at, name = at - 1, "~" + name
    # Class::method: an explicit qualification belongs to the name.
    while at >= 2 and words[at - 1] == "::":
        at -= 2
        name = f"{words[at]}::{name}"
    # Macros with a body in braces (TEST, for one) define what their arguments say.
    return ("function", f"{name}({parameter_types(words[first + 1:end])})")


def definitions(text):
    """What a source defines at namespace scope."""
    stream = list(tokens(text))
    found, spaces, words, i = [], [], [], 0
    start = 1
    while i < len(stream):
        token, line = stream[i]
        if not words:
            start = line
        if token == ";":
            words = []
        elif token == "}":
            if spaces:
                spaces.pop()
            words = []
        elif token == "(":
            end = matching(stream, i)
            words += [t for t, _ in stream[i:end + 1]]
            i = end
        elif token == "{":
            plain = [w for w in words if w != "inline"]
            if plain and plain[0] == "namespace":
                spaces.append("".join(plain[1:]))
                words = []
            elif plain[:1] == ["extern"] and plain[1:] == ['""']:
                spaces.append(None)
                words = []
            else:
                what = declared(words)
                if what:
                    internal = "static" in words[:words.index("(")] if what[0] == "function" else False
                    internal = internal or "" in spaces
                    scope = "::".join(s for s in spaces if s)
                    # A member belongs where its class does.
                    internal = internal or any(d.internal and d.kind == "type" and what[1].startswith(d.name.split("::")[-1] + "::")
                                               for d in found)
                    found.append(Definition(what[0], f"{scope}::{what[1]}" if scope else what[1], internal, start))
                i = matching(stream, i)
                # After a type's braces its declaration goes on to a semicolon.
                words = ["after"] if what and what[0] == "type" else []
        else:
            words.append(token)
        i += 1
    return found


def main():
    places = defaultdict(dict)
    for folder in sys.argv[1:]:
        for path in sorted(Path(folder).rglob("*")):
            if path.suffix not in (".h", ".cpp"):
                continue
            for definition in definitions(path.read_text()):
                if not definition.internal and not definition.name.startswith("main("):
                    places[definition.kind, definition.name].setdefault(path, definition.line)
    twice = {name: where for (_, name), where in sorted(places.items()) if len(where) > 1}
    for name, where in twice.items():
        print(f"{name}: defined in " + " and in ".join(f"{path}:{line}" for path, line in where.items()))
    print(f"{len(places)} definitions, {len(twice)} of them twice")
    return int(bool(twice))


if __name__ == "__main__":
    sys.exit(main())
