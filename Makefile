# Thin: what there is to know about the build is in CMakeLists.txt, about the packages in scripts/setup.sh.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:
.DEFAULT_GOAL := help
.PHONY: help setup configure build demo check test docs format property clean
MAKEFLAGS += --no-print-directory
export NINJA_STATUS = [build] %f/%t 

help:
	@cat <<'END'
	make setup     get the Debian packages that are missing, as root or not (scripts/setup.sh)
	make build     configure and compile, in build/
	make demo      build tile-run, then run the demonstration
	make check     build, then check the format and run all tests
	make property  build, then test random einsums: make property ARGS="..."
	make docs      make a site of the documentation, in build/site, with warnings as errors
	make format    put the C++ sources into the project's format
	make clean     remove build/ (rm -r .deps removes what setup unpacked)
	END

setup:
	@scripts/setup.sh

# Ninja reruns CMake when a CMake file changed; only other arguments, presets or another place ask for a fresh start.
configure: setup
	@. .deps/env.sh
	wanted="$$PWD $$TILEIR_CMAKE_ARGS $$(cksum <CMakePresets.json)"
	if [[ ! -f build/build.ninja || ! -f build/.configured || $$(<build/.configured) != "$$wanted" ]]; then
	  echo "[build] configuring"
	  mkdir -p build
	  rm -f build/.configured
	  cmake --fresh --preset default $$TILEIR_CMAKE_ARGS >build/configure.log 2>&1 || { cat build/configure.log; exit 1; }
	  echo "$$wanted" >build/.configured
	fi

build: configure
	@. .deps/env.sh
	cmake --build build

# Only what it runs: the tests take longer to build than the rest.
demo: configure
	@. .deps/env.sh
	cmake --build build --target tile-run
	"$$PYTHON" scripts/demo.py --build build

check: build
	@. .deps/env.sh
	scripts/check.sh build

test: check

property: build
	@. .deps/env.sh
	"$$PYTHON" test/Property/einsum_property.py --tile-run build/bin/tile-run $(ARGS)

docs: setup
	@. .deps/env.sh
	scripts/build-docs.sh build

format: setup
	@. .deps/env.sh
	scripts/check-format.sh --fix

clean:
	@rm -rf build
