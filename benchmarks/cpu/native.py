"""cpu-measure.so (measure.cpp) and arrays that it takes."""
import ctypes

import numpy as np

ALIGNMENT = 64
TEXT_SIZE = 1 << 16
FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_uint64)


def allocate(shape, dtype):
    """An array that begins at a line of the cache, whatever NumPy does."""
    dtype = np.dtype(dtype)
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    held = np.empty(size + ALIGNMENT, np.uint8)
    skipped = -held.ctypes.data % ALIGNMENT
    return held[skipped:skipped + size].view(dtype).reshape(shape)


class Native:
    def __init__(self, library):
        self.library = ctypes.CDLL(str(library))
        self.kept = []  # what the library has pointers to

    def add(self, baseline, lines, inputs, output):
        """A candidate's number and what it says of itself; None and why, if there is none. `lines` describe the
        problem: see Baseline.h."""
        text = ctypes.create_string_buffer(TEXT_SIZE)
        pointers = (ctypes.c_void_p * max(1, len(inputs)))(*(array.ctypes.data for array in inputs))
        problem = "\n".join(f"{word} {value}" for word, value in lines)
        self.kept += [inputs, output]
        number = self.library.tileirBenchAdd(
            str(baseline).encode(), problem.encode(), pointers, ctypes.c_size_t(len(inputs)),
            ctypes.c_void_p(output.ctypes.data if output is not None else None), text, ctypes.c_size_t(TEXT_SIZE))
        return (None if number < 0 else number), text.value.decode(errors="replace")

    def add_function(self, function):
        """A candidate that is a function of Python, called without arguments."""
        def repeat(count):
            for _ in range(count):
                function()

        callback = FUNCTION(repeat)
        self.kept.append(callback)
        return self.library.tileirBenchAddFunction(callback)

    def run(self, number):
        self.library.tileirBenchRun(number, ctypes.c_uint64(1))

    def measure(self, numbers, peak, budget, quiet_level=0, sample=50e-6, most_rounds=20000, least_quiet=5):
        """Of each: seconds, seconds of the peak and how quiet it was, by rounds. See Benchmark.h."""
        samples = np.zeros((len(numbers), most_rounds, 3))
        rounds = (ctypes.c_uint64 * len(numbers))()
        self.library.tileirBenchMeasure(
            (ctypes.c_int * len(numbers))(*numbers), ctypes.c_size_t(len(numbers)), -1 if peak is None else peak,
            ctypes.c_double(budget), ctypes.c_double(4 * budget), ctypes.c_double(sample),
            ctypes.c_size_t(most_rounds), ctypes.c_double(quiet_level), ctypes.c_size_t(least_quiet),
            samples.ctypes.data_as(ctypes.POINTER(ctypes.c_double)), rounds)
        return [samples[i, :count] for i, count in enumerate(rounds)]
