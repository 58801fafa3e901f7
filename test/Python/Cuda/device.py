# Arrays in the memory of a simulated GPU, as users' libraries have them: what __cuda_array_interface__ tells, and a namespace
# that makes more. Memory comes from the driver.
import ctypes

import numpy as np

_cuda = ctypes.CDLL("libcuda.so.1")
_context = ctypes.c_void_p()


def _check(status):
    if status:
        raise RuntimeError(f"the driver gives {status}")


def start():
    """Opens the GPU, and makes its context that of this thread."""
    device = ctypes.c_int()
    _check(_cuda.cuInit(0))
    _check(_cuda.cuDeviceGet(ctypes.byref(device), 0))
    _check(_cuda.cuDevicePrimaryCtxRetain(ctypes.byref(_context), device))
    _check(_cuda.cuCtxSetCurrent(_context))


def make_stream():
    stream = ctypes.c_void_p()
    _check(_cuda.cuStreamCreate(ctypes.byref(stream), 0))
    return stream.value


class DeviceArray:
    """An array on the GPU, of the contents of `array`. `skip`: how many bytes it begins behind the memory that it is in."""

    def __init__(self, array, stream=None, read_only=False, strides=None, skip=0):
        self.shape, self.dtype = array.shape, array.dtype
        self._memory, self._stream, self._read_only, self._strides = ctypes.c_uint64(), stream, read_only, strides
        _check(_cuda.cuMemAlloc_v2(ctypes.byref(self._memory), ctypes.c_size_t(max(array.nbytes + skip, 1))))
        self.address = self._memory.value + skip
        dense = np.ascontiguousarray(array)
        if dense.nbytes:
            _check(_cuda.cuMemcpyHtoD_v2(ctypes.c_uint64(self.address), dense.ctypes.data_as(ctypes.c_void_p),
                                         ctypes.c_size_t(dense.nbytes)))

    def __del__(self):
        _cuda.cuMemFree_v2(self._memory)

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self.address, self._read_only), "strides": self._strides,
                "version": 3, "stream": self._stream}

    device = None

    def __array_namespace__(self):
        return Namespace

    def numpy(self):
        result = np.empty(self.shape, self.dtype)
        if result.nbytes:
            _check(_cuda.cuMemcpyDtoH_v2(result.ctypes.data_as(ctypes.c_void_p), ctypes.c_uint64(self.address),
                                         ctypes.c_size_t(result.nbytes)))
        return result


class OtherGpuArray(DeviceArray):
    """One that says that it is on the second GPU, which is not there."""

    device = 1


class Namespace:
    """Of the array API, what is asked for."""

    float32, float64, float16, int32, int8 = map(np.dtype, ("f4", "f8", "f2", "i4", "i1"))

    @staticmethod
    def empty(shape, dtype, device=None):
        return DeviceArray(np.full(shape, 77, dtype))
