#!/usr/bin/env bash
# Sees to it that all the build and the tests need is here, and writes .deps/env.sh, which the Makefile's recipes
# source. As root, or with a sudo that asks nothing, missing Debian packages are installed; anyone else gets the same
# packages unpacked into .deps/root by apt's own tools. Quick when nothing is missing.
#
#   TILEIR_NO_ROOT=1   unpack into .deps/root even where packages could be installed
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive

readonly llvm=(clang-22 clang-format-22 libclang-rt-22-dev lld-22 llvm-22-dev llvm-22-tools libmlir-22-dev mlir-22-tools
  libomp-22-dev)
readonly packages=("${llvm[@]}" libstdc++-12-dev libc6-dev make cmake ninja-build ccache git python3 python3-matplotlib
  python3-numpy python3-psutil libpython3-dev libgtest-dev libgmock-dev nlohmann-json3-dev)
readonly deps=$PWD/.deps
readonly root=$deps/root apt=$deps/apt log=$deps/setup.log
readonly need_gb=4
triplet=$(uname -m)-linux-gnu
readonly triplet

say() { printf '[setup] %s\n' "$*"; }

# die WHAT [HOW TO MEND IT...]
die() {
  trap - EXIT
  printf '[setup] error: %s\n' "$1" >&2
  shift
  (($# == 0)) || printf '[setup]   %s\n' "$@" >&2
  exit 1
}
trap 'die "interrupted" "run it again to go on"' INT
trap '(($? == 0)) || die "failed unexpectedly" "what apt said is in $log"' EXIT

# Those of "$@" that are not installed, one a line.
missing() {
  comm -23 <(printf '%s\n' "$@" | sort -u) \
    <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p' | sort -u)
}

# The installed packages that were built from the sources "$@", one a line.
installed_from() {
  (($#)) || return 0
  dpkg-query -W -f '${db:Status-Status} ${source:Package} ${Package}\n' |
    awk -v sources=" $* " '$1 == "installed" && index(sources, " " $2 " ") { print $3 }'
}

# What would fail later fails here, before half a gigabyte is fetched.
check_machine() {
  local system place free
  # shellcheck source=/dev/null
  system=$(. /etc/os-release 2>/dev/null && echo "$ID ${VERSION_CODENAME:-}") || system="an unknown system"
  [[ $system == "debian bookworm" ]] ||
    die "this machine runs $system and lacks: ${wanted[*]}" \
      "TileIR is built with the packages of Debian 12 (bookworm): use a machine or a container with that"
  for place in "$@"; do
    free=$(df -Pk "$place" | awk 'NR == 2 { print int($4 / 1048576) }')
    ((free >= need_gb)) || die "$place has $free GB free: packages and build take about $need_gb GB" "make room there"
  done
}

# put FILE: writes standard input there in one go, and not at all when that is what FILE holds: a build may be running.
put() {
  cat >"$1.new"
  if cmp -s "$1.new" "$1" && [[ ! -L $1 ]]; then rm "$1.new"; else mv "$1.new" "$1"; fi
}

apt_get() { "${as_root[@]}" apt-get -q "${options[@]}" "$@" </dev/null; }

# Those of the wanted packages that apt's lists do not have.
unknown() {
  comm -23 <(printf '%s\n' "${wanted[@]}" | sort) <(apt-cache "${options[@]}" policy "${wanted[@]}" 2>/dev/null |
    awk '/^[^ ]/ { sub(":$", "", $1); name = $1 } $1 == "Candidate:" && $2 != "(none)" { print name }' | sort)
}

update_lists() {
  say "updating apt's package lists"
  # Sources that do not matter here may fail: what counts is whether the packages are known afterwards.
  apt_get -o Acquire::Retries=1 -o Acquire::http::Timeout=20 update >>"$log" 2>&1 || true
  local lacking mirror
  lacking=$(unknown | xargs)
  [[ -n $lacking ]] || return 0
  ! grep -q 'Failed to fetch' "$log" ||
    die "apt cannot reach its sources, and these packages are missing: $lacking" "$(grep -m1 'Failed to fetch' "$log")" \
      "check the network, apt's proxy settings and the sources in /etc/apt, then run this again"
  # shellcheck disable=SC2016 # apt expands these
  if [[ $(apt-get "${options[@]}" indextargets --format '$(RELEASE)') != *bookworm-security* ]]; then
    mirror=$(apt-get "${options[@]}" indextargets --format '$(REPO_URI)' 'Release: bookworm' | sort -u | tail -n 1)
    mirror=${mirror:-(mirror)/debian}
    die "LLVM/MLIR 22.1 comes from bookworm-security, which is not among apt's sources here" \
      "add it as root, for example with this line in /etc/apt/sources.list.d/security.list, then run this again:" \
      "  deb ${mirror%/}-security bookworm-security main"
  fi
  die "apt's sources do not have: $lacking" "the sources in /etc/apt need bookworm and bookworm-security, component main"
}

# get [OPTION...]: has apt-get install the wanted packages, with no word but how much there is to do.
get() {
  apt_get install -y --no-install-recommends "$@" "${wanted[@]}" 2>&1 | tee -a "$log" |
    sed -un 's/^Need to get \(.*\) of archives\..*/[setup] fetching \1 (some minutes)/p'
}

get_or_die() {
  [[ -z $(unknown) ]] || update_lists
  get "$@" && return
  # The lists may be older than the mirror, which keeps only the newest packages.
  update_lists
  get "$@" || die "apt could not get the packages: $(grep -E '^E: ' "$log" | tail -n 1 || true)" \
    "all that apt said is in $log"
}

install_packages() {
  check_machine /usr "$deps"
  options=(-o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
  say "installing ${wanted[*]}"
  get_or_die
}

# apt keeps its state under .deps here, so that no step needs root; dpkg's database is read, never written.
unpack_packages() {
  check_machine "$deps"
  rm -rf "$apt" "$root"
  mkdir -p "$apt"/state/lists/partial "$apt"/cache/archives/partial
  as_root=()
  options=(-o Dir::State="$apt/state" -o Dir::State::status=/var/lib/dpkg/status -o Dir::Cache="$apt/cache"
    -o Debug::NoLocking=1 -o Acquire::Retries=3)

  # A tool and its library find each other by their places, so packages of one source come from one place: where one
  # is missing, those that are installed are fetched too.
  local -a before=("${wanted[@]}") sources=()
  [[ -z $(missing "${llvm[@]}") ]] || sources+=(llvm-toolchain-22)
  [[ -z $(missing python3) ]] || sources+=(python3-defaults python3.11)
  [[ -z $(missing libstdc++-12-dev) ]] || wanted+=(libgcc-12-dev)
  mapfile -t -O "${#wanted[@]}" wanted < <(installed_from "${sources[@]}")

  say "no root here: unpacking into .deps/root ${before[*]}"
  get_or_die --download-only --reinstall
  say "unpacking"
  mkdir -p "$root"
  local deb
  for deb in "$apt"/cache/archives/*.deb; do
    # The C library stays the machine's own: a second one beside its loader breaks every program.
    [[ ${deb##*/} == libc6_* ]] || dpkg-deb -x "$deb" "$root" 2>>"$log" ||
      die "cannot unpack ${deb##*/}: $(tail -n 1 "$log")" "make room in $deps, then run this again"
  done
  relocate
  rm -rf "$apt"
  echo "${before[*]}" >"$root/.packages"
}

# Packages expect to stand in /: mends what would look there.
relocate() {
  local link target
  find "$root" -type l -lname '/*' | while read -r link; do
    target=$root$(readlink "$link")
    [[ ! -e $target ]] || ln -sfnr "$target" "$link"
  done
  # LLVM's libraries look for others beside themselves, and after that only where the system has its own.
  if [[ -d $root/usr/lib/llvm-22/lib ]]; then
    find "$root/usr/lib/$triplet" "$root/lib/$triplet" -maxdepth 1 -name 'lib*.so.*' \
      -exec ln -sr -t "$root/usr/lib/llvm-22/lib" {} + 2>/dev/null || true
  fi
  # libc.so is a linker script that names its parts by full path; what the -L below leads to needs no path.
  if [[ -f $root/usr/lib/$triplet/libc.so ]]; then sed -i "s#/usr/lib/$triplet/##g" "$root/usr/lib/$triplet/libc.so"; fi
  if [[ -d $root/usr/share/matplotlib/mpl-data ]]; then
    ln -sfnr "$root/usr/share/matplotlib/mpl-data" "$root/usr/lib/python3/dist-packages/matplotlib/mpl-data"
  fi
  if [[ -f $root/usr/lib/llvm-22/bin/lit ]]; then
    sed -i '1s#.*#\#!/usr/bin/env python3#; s#"/usr/lib/#sys.path[0] + "/../../#' "$root/usr/lib/llvm-22/bin/lit"
  fi
}

# place PATH: where PATH of a package is, under .deps/root or as it is.
place() { if ((unpacked)) && [[ -e $root$1 ]]; then echo "$root$1"; else echo "$1"; fi; }

# Tells clang of the headers, the start-up objects and the libraries that were unpacked. A configuration file beside
# clang reaches every use of it, whereas flags of ours would not reach what CMake tries out by itself.
clang_config() {
  local gcc=$root/usr/lib/gcc/$triplet/12
  if [[ -d $gcc && -d $root/usr/include/c++/12 ]]; then echo "--gcc-install-dir=$gcc"; fi
  # -idirafter, because libstdc++ has to find the C library's headers after its own. Old tags, because only a run path
  # of that kind reaches the libraries' own libraries, so that build/bin/tile-opt runs from any shell.
  printf '%s\n' "-idirafter $root/usr/include/$triplet" "-idirafter $root/usr/include" \
    "-B$root/usr/lib/$triplet" "-L$root/usr/lib/$triplet" "-L$root/lib/$triplet" \
    "-Wl,--disable-new-dtags,-rpath,$root/usr/lib/llvm-22/lib"
}

# A Python that finds the unpacked modules. A script, not a variable: PYTHONPATH in the environment would reach other
# Pythons too, and would not reach tests, which lit runs without it.
python_wrapper() {
  local modules=$root/usr/lib/python3/dist-packages:/usr/lib/python3/dist-packages
  printf '%s\n' '#!/bin/sh' "PYTHONPATH=\"$modules\${PYTHONPATH:+:\$PYTHONPATH}\" exec \"$(place /usr/bin/python3)\" \"\$@\""
}

# Where ccache cannot write to its usual folder, it stops the build: it gets one here.
ccache_folder() {
  local folder=${CCACHE_DIR:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/ccache}
  if ! mkdir -p "$folder" 2>/dev/null || [[ ! -w $folder ]]; then echo "export CCACHE_DIR=\"$deps/ccache\""; fi
}

# get_nvdisasm: where there is ptxas, tests of machine code want the disassembler of the same toolkit, too. Without it they
# are left out, so that nothing here fails.
get_nvdisasm() {
  local tried=$deps/nvdisasm
  [[ ! -e $tried ]] && command -v ptxas >/dev/null && ! command -v nvdisasm >/dev/null || return 0
  say "getting nvdisasm, which some tests of machine code use"
  mkdir -p "$tried"
  if timeout 120 /usr/bin/python3 -m pip -q download --no-deps --retries 1 --timeout 20 -d "$tried" \
    nvidia-cuda-nvdisasm==13.5.37 >>"$log" 2>&1 && /usr/bin/python3 -m zipfile -e "$tried"/*.whl "$tried"; then
    ln -sfr "$tried"/nvidia/cu13/bin/nvdisasm "$deps/bin/nvdisasm"
    chmod +x "$tried"/nvidia/cu13/bin/nvdisasm
  else
    say "no nvdisasm: these tests are left out"
  fi
}

# get_python_packages: what builds the module of the Python package and installs it, and what its tests use, with no place
# of Debian's touched. Without a network all are left out, which CMake and the tests say; that is tried once.
get_python_packages() {
  local folder=$deps/python
  # Versions that go with the NumPy of Debian 12.
  local -a wheels=(nanobind==3.1.0 ml_dtypes==0.5.1 scikit-build-core==1.1.2 packaging==26.4 pathspec==1.1.1)
  [[ $(cat "$folder/.wheels" 2>/dev/null) != "${wheels[*]}" ]] || return 0
  say "getting ${wheels[*]}"
  rm -rf "$folder"
  mkdir -p "$folder/wheels"
  if timeout 120 /usr/bin/python3 -m pip -q download --no-deps --only-binary :all: --retries 1 --timeout 20 \
    -d "$folder/wheels" "${wheels[@]}" >>"$log" 2>&1; then
    local wheel
    for wheel in "$folder"/wheels/*.whl; do /usr/bin/python3 -m zipfile -e "$wheel" "$folder"; done
  else
    say "no ${wheels[*]}: the module of the Python package is left out ('rm -r .deps/python' to try again)"
  fi
  echo "${wheels[*]}" >"$folder/.wheels"
  rm -rf "$folder/wheels"
}

write_env() {
  local tools bin python=/usr/bin/python3 libraries='' path
  tools=$(place /usr/lib/llvm-22)
  bin=$deps/bin:$tools/bin
  local -a args=()
  if ((unpacked)); then
    python=$deps/bin/python3
    python_wrapper | put "$python"
    chmod +x "$python"
    bin+=:$root/usr/bin:$root/bin
    # blas and lapack: where update-alternatives would have led.
    for path in "/usr/lib/$triplet"{,/blas,/lapack} "/lib/$triplet"; do libraries+=$root$path:; done
    if [[ -x $root/usr/lib/llvm-22/bin/clang ]]; then
      clang_config | put "$root/usr/lib/llvm-22/bin/clang.cfg"
      clang_config | put "$root/usr/lib/llvm-22/bin/clang++.cfg"
    fi
    args=(-DCMAKE_PREFIX_PATH="$root/usr")
    path=$root/usr/include/python3.11
    if [[ -e $path/Python.h ]]; then args+=(-DPython_INCLUDE_DIR="$path"); fi
  else
    ln -sfn "$python" "$deps/bin/python3"
  fi

  args+=(-DCMAKE_C_COMPILER="$(place /usr/bin/clang-22)" -DCMAKE_CXX_COMPILER="$(place /usr/bin/clang++-22)"
    -DCMAKE_{C,CXX}_COMPILER_LAUNCHER="$(place /usr/bin/ccache)" -DCMAKE_{EXE,SHARED,MODULE}_LINKER_FLAGS=-fuse-ld=lld
    -DMLIR_DIR="$tools/lib/cmake/mlir" -DLLVM_DIR="$tools/lib/cmake/llvm"
    -DLLVM_EXTERNAL_LIT="$tools/bin/lit" -DPython3_EXECUTABLE="$python")

  put "$deps/env.sh" <<-END
	# Written by scripts/setup.sh, for the Makefile's recipes to source.
	export PATH="$bin:\$PATH"
	export PYTHON="$python"
	export TILEIR_CMAKE_ARGS="${args[*]}"
	# Without these ccache takes no part in compilations that use a precompiled header.
	export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
	$(ccache_folder)
	${libraries:+export LD_LIBRARY_PATH="${libraries%:}\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}"}
	END
}

[[ $PWD != *[[:space:]]* ]] ||
  die "the folder's name has a blank: $PWD" "move it to a place without: commands of the tests would be cut there"
command -v dpkg-query >/dev/null ||
  die "this machine has no dpkg" "TileIR is built with the packages of Debian 12 (bookworm): use a machine or a container with that"
if ! mkdir -p "$deps/bin" 2>/dev/null || [[ ! -w $deps || ! -w $deps/bin ]]; then
  die "cannot write to $deps" "make this folder yours, or copy it to one of yours"
fi
as_root=() options=() unpacked=0
mapfile -t wanted < <(missing "${packages[@]}")
if ((${#wanted[@]} == 0)); then
  say "all packages are installed"
elif [[ -f $root/.packages && $(<"$root/.packages") == "${wanted[*]}" ]]; then
  unpacked=1
  say "all packages are in .deps/root"
else
  : >"$log"
  if [[ -z ${TILEIR_NO_ROOT:-} ]] && ((EUID == 0)); then
    install_packages
  elif [[ -z ${TILEIR_NO_ROOT:-} ]] && sudo -n true 2>/dev/null; then
    as_root=(sudo -n env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8)
    install_packages
  else
    unpack_packages
    unpacked=1
  fi
  say "done"
fi
write_env
get_nvdisasm
get_python_packages
