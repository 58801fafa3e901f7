#!/usr/bin/env bash
# install-python.sh BUILD: makes the virtual environment BUILD/venv with the Python package, installed by pip as users
# install it, from a finished build and without a network. Prints the Python of it; exits with 3, and says why, where it cannot be
# had. Called by check.sh, so that tests run on what is installed. The compilations are those of the build, which ccache
# knows.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$(realpath "${1:?usage: install-python.sh BUILD}")
python=${PYTHON:-python3} venv=$build/venv log=$build/venv.log

# missing WHAT: says so, and that nothing is installed.
missing() {
  echo "[check] the Python package is not installed, and its tests run on the build folder: $1" >&2
  exit 3
}

[[ -n $(find "$build/python/tileir" -maxdepth 1 -name '_native.*' 2>/dev/null) ]] ||
  missing "tileir._native is not built (see $build/configure.log)"
"$python" -m pip --version >/dev/null 2>&1 || missing "this machine has no pip"
PYTHONPATH=$PWD/.deps/python${PYTHONPATH:+:$PYTHONPATH} "$python" -c 'import scikit_build_core, nanobind' 2>/dev/null ||
  missing "there is no scikit-build-core, which 'make setup' gets where there is a network ('rm -r .deps/python' to try again)"
rm -rf "$venv"
{
  "$python" -m venv --without-pip "$venv"
  # What tests use is found where it is: NumPy where Python has it, the rest where scripts/setup.sh put it.
  site=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  {
    echo "$PWD/.deps/python"
    "$python" -c 'import numpy, pathlib; print(pathlib.Path(numpy.__file__).parent.parent)'
  } >"$site/tileir-tests.pth"
  # shellcheck disable=SC2086
  CMAKE_ARGS=${TILEIR_CMAKE_ARGS:-} "$python" -m pip --python "$venv/bin/python" install ./python \
    --no-build-isolation --no-deps --no-index --disable-pip-version-check --no-cache-dir \
    --config-settings "build-dir=$build/wheel" --config-settings "cmake.define.TileIR_DIR=$build/lib/cmake/TileIR"
} >"$log" 2>&1 || {
  cat "$log" >&2
  exit 1
}
echo "$venv/bin/python"
