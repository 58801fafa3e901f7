#!/usr/bin/env bash
# triton-libraries.sh [FOLDER]: runs host code of public Triton libraries, unmodified, by tileir.triton on every backend,
# compares with torch, and plants faults in their kernels. Gets Triton, torch and the libraries from PyPI into FOLDER (1 GB;
# default: build/triton-libraries) unless they are there. Takes an hour or so; needs a build of tile-run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=$(realpath -m "${1:-build/triton-libraries}")
if [[ ! -x $folder/bin/python ]]; then
  python3 -m venv "$folder"
  "$folder/bin/pip" -q install numpy torch==2.15.0 triton==3.9.0 liger-kernel==0.8.5 flag-gems==5.0.2 \
    conch-triton-kernels==1.3 flash-linear-attention==0.6.0
fi
export PYTHONPATH=$PWD/python TILEIR_BIN=${TILEIR_BIN:-$PWD/build/bin} PYTHONDONTWRITEBYTECODE=1
export TRITON_CACHE_DIR=$folder/cache FLAGGEMS_CACHE_DIR=$folder/gems TRITON_DEFAULT_FP_FUSION=1
failed=0
for way in "interp ttir" "cpu ttir" "sim ttir" "sim llvm"; do
  read -r backend ir <<<"$way"
  for library in tutorials liger gems conch_kernels linear_attention; do
    log=$folder/$library-$backend-$ir.log
    "$folder/bin/python" "test/Triton/libraries/$library.py" --backend "$backend" --ir "$ir" >"$log" 2>&1 || failed=1
    tail -n 1 "$log"
  done
done
"$folder/bin/python" test/Triton/libraries/planted.py >"$folder/planted.log" 2>&1 || failed=1
tail -n 1 "$folder/planted.log"
echo "logs: $folder/*.log"
exit "$failed"
