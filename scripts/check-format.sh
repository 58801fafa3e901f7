#!/usr/bin/env bash
# Checks that the C++ sources are as clang-format-22 would write them; with --fix, writes them so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mode=(--dry-run -Werror)
[[ ${1:-} != --fix ]] || mode=(-i)

# New files count before they are added to git; a release has no git, and so no file but its own.
sources() {
  if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files -z --cached --others --exclude-standard -- '*.cpp' '*.h'
  else
    find . \( -name .deps -o -name 'build*' \) -prune -o \( -name '*.cpp' -o -name '*.h' \) -print0
  fi
}
mapfile -d '' -t files < <(sources)
present=()
for file in "${files[@]}"; do [[ ! -f $file ]] || present+=("$file"); done
((${#present[@]} == 0)) || printf '%s\0' "${present[@]}" | xargs -0 -n 16 -P "$(nproc)" clang-format-22 "${mode[@]}" || {
  echo "[format] some files are not in the project's format: 'make format' mends them" >&2
  exit 1
}
echo "[format] ${#present[@]} files in format"
