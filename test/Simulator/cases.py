"""The list of all cases, and what their definitions share. cases_*.py add to it."""
import numpy as np
from harness import Case, Scalar

CASES = []


def case(file, entry, **launch):
    """Makes a Case of the function below it."""
    def add(make):
        CASES.append(Case(f"{file}.mlir", entry, make, **launch))
        return make
    return add


def i32(value):
    return Scalar("i32", value)


def whole(rng, *shape, dtype=np.float32, low=-8, high=8):
    """Small integers in any type: sums and products are exact."""
    return rng.integers(low, high, shape, endpoint=True).astype(dtype)


def empty(*shape, dtype=np.float32):
    """What kernels must overwrite."""
    return np.full(shape, -77, dtype)
