#!/usr/bin/env bash
# check.sh BUILD: all checks of a finished build, each of them run whatever became of the others. Ends with the closing
# lines of the test runners, so that how many tests ran is plain. Called by 'make check', in the environment of
# .deps/env.sh.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
build=${1:?usage: check.sh BUILD}
failed=()

scripts/check-format.sh || failed+=(format)

# Tests of the Python package run on what pip installs; where that cannot be had, on the build folder, said aloud.
TILEIR_INSTALLED_PYTHON=$(scripts/install-python.sh "$build")
case $? in 0 | 3) ;; *) failed+=("installing the Python package") ;; esac
export TILEIR_INSTALLED_PYTHON

# A runner that finds no test is a failure: it means the tests are not built. Both run at once, so that neither leaves a
# core without work towards its end.
ctest --test-dir "$build" --output-on-failure --no-tests=error --timeout 600 -j "$(nproc)" >"$build/ctest.log" 2>&1 &
ctest=$!
cmake --build "$build" --target check-tileir 2>&1 | tee "$build/lit.log" || failed+=(lit)
wait "$ctest" || failed+=(ctest)
cat "$build/ctest.log"

echo
echo "[check] the ten slowest tests, in seconds:"
{
  cat "$build/test/.lit_test_times.txt"
  sed -nE 's/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: ([^ ]+) .* ([0-9.]+) sec$/\2 \1/p' "$build/ctest.log"
} | sort -rg | head -n 10 | awk '{ printf "%8.1f  %s\n", $1, $2 }'

# lit's table, added up: "  Passed     : 12 (85.71%)".
total() { sed -nE "s/^ +($1) *: *([0-9]+) .*/\2/p" "$build/lit.log" | awk '{ n += $1 } END { print n + 0 }'; }
echo
echo "[check] lit and ctest said:"
grep -E '^Total Discovered Tests:|^  [A-Z][A-Za-z ]+: +[0-9]+ \(' "$build/lit.log"
echo "lit: $(total 'Passed|Passed With Retry|Expectedly Failed') passed," \
  "$(total 'Failed|Unresolved|Timed Out|Unexpectedly Passed') failed, $(total 'Unsupported|Skipped|Excluded') skipped"
sed -n 's/^.*: note: \(.* left out: .*\)/\1/p' "$build/lit.log" | sort -u
grep -E '^[0-9]+% tests passed|^No tests were found|^Total Test time' "$build/ctest.log"
if ((${#failed[@]})); then
  echo "[check] failed: ${failed[*]}"
  exit 1
fi
