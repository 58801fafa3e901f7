# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plug-in of pytest: kernels of Triton run by TileIR, in all tests (--tileir-backend) or in one (fixture `tileir`)."""

import pytest


def pytest_addoption(parser):
    group = parser.getgroup("tileir", "Triton kernels without a GPU")
    group.addoption("--tileir-backend", default=None, help="run kernels of Triton by TileIR: sim, interp or cpu")
    group.addoption("--tileir-chip", default=None, help="the GPU that is simulated")
    group.addoption("--tileir-ir", default=None, help="ttir, or Triton's own LLVM IR: llvm")
    group.addoption("--tileir-check", default=None, help="interp: compare results with those of the interpreter")
    group.addoption("--tileir-reports", default=None, help="a folder for a roofline and SARIF file of each launch")


def get_options(config):
    """The options of install() that the command line has."""
    values = {name: config.getoption(f"--tileir-{name}") for name in ("backend", "chip", "ir", "check", "reports")}
    return {name: value for name, value in values.items() if value is not None}


def install(config):
    """install() by the command line; what is wrong with that is an error of usage, not of a test."""
    import tileir.triton
    try:
        tileir.triton.install(**get_options(config))
    except tileir.triton.OptionError as error:
        raise pytest.UsageError(f"tileir: {error}") from error


def pytest_configure(config):
    if config.getoption("--tileir-backend") is not None:
        install(config)


def pytest_unconfigure(config):
    if config.getoption("--tileir-backend") is not None:
        import tileir.triton
        tileir.triton.uninstall()


@pytest.fixture
def tileir(request):
    """The module tileir.triton, installed for this test, with no launches yet."""
    import tileir.triton
    session = request.config.getoption("--tileir-backend") is not None
    if not session:
        install(request.config)
    tileir.triton.launches().clear()
    yield tileir.triton
    if not session:
        tileir.triton.uninstall()
