# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch's device "cuda" as the CPU, where there is no GPU.

Host code says device="cuda", asks torch.cuda for the number of multiprocessors, or makes streams and events. Here such
tensors are in the memory of the CPU, torch.cuda tells of the GPU that is simulated, and all work is done when a call
returns.
"""

import importlib.util
import sys
from types import SimpleNamespace


def on_cpu(value):
    """A device as it is meant here."""
    if isinstance(value, str) and value.split(":")[0] == "cuda":
        return "cpu"
    if getattr(value, "type", None) == "cuda" and type(value).__name__ == "device":
        return type(value)("cpu")
    return value


class Nothing:
    """A stream, an event, a context: what needs no counterpart."""

    cuda_stream, device, query = 0, None, lambda self: True

    def __init__(self, *args, **kwargs):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False

    def elapsed_time(self, other):
        return 0.0

    def record(self, *args):
        return self

    wait = synchronize = wait_stream = wait_event = record_event = record


class Generator:
    """The generator of a GPU: its state is a seed and an offset, of 8 bytes each."""

    def __init__(self, torch):
        self.state = torch.tensor([0, 0], dtype=torch.int64).view(torch.uint8)

    def get_state(self):
        return self.state.clone()

    def set_state(self, state):
        self.state = state.clone()

    def initial_seed(self):
        return int.from_bytes(bytes(self.state[:8].tolist()), "little")

    def manual_seed(self, seed):
        self.state[:8] = self.state.new_tensor(list(int(seed).to_bytes(8, "little")))
        self.state[8:] = 0
        return self


class StandIn:
    def __init__(self, chip):
        import torch
        self.torch, self.chip = torch, chip
        self.changed, self.mode = [], None

    @staticmethod
    def is_needed():
        """Whether there is a torch that finds no GPU."""
        if "torch" not in sys.modules and importlib.util.find_spec("torch") is None:
            return False
        import torch
        return hasattr(torch, "cuda") and not torch.cuda.is_available()

    def _set(self, place, name, value):
        self.changed.append((place, name, place.__dict__.get(name, self)))
        setattr(place, name, value)

    def start(self):
        torch, cuda = self.torch, self.torch.cuda
        chip = self.chip
        major, minor = divmod(chip.capability, 10)
        properties = SimpleNamespace(
            name=chip.product, major=major, minor=minor, multi_processor_count=chip.multiprocessors, total_memory=chip.memory,
            warp_size=32, regs_per_multiprocessor=65536, L2_cache_size=chip.l2, max_threads_per_multi_processor=2048,
            shared_memory_per_block=49152, shared_memory_per_multiprocessor=chip.shared_of_multiprocessor,
            shared_memory_per_block_optin=chip.shared_of_block, gcnArchName="")
        answers = dict(
            is_available=True, is_initialized=True, device_count=1, current_device=0, set_device=None, synchronize=None,
            empty_cache=None, get_device_capability=(major, minor), get_device_name=chip.product,
            get_device_properties=properties, is_bf16_supported=True, memory_allocated=0, max_memory_allocated=0,
            reset_peak_memory_stats=None, manual_seed=None, manual_seed_all=None, is_current_stream_capturing=False)
        for what, answer in answers.items():
            self._set(cuda, what, lambda *args, answer=answer, **kwargs: answer)
        for what in ("Stream", "Event", "device", "device_of", "stream"):
            self._set(cuda, what, Nothing)
        for what in ("current_stream", "default_stream"):
            self._set(cuda, what, lambda *args, **kwargs: Nothing())
        self._set(cuda, "default_generators", (Generator(torch),))
        self._set(torch.Tensor, "is_cuda", property(lambda tensor: True))
        self._set(torch.amp, "is_autocast_available", lambda *args: True)
        self.mode = make_mode(torch)
        self.mode.__enter__()

    def stop(self):
        self.mode.__exit__(None, None, None)
        for place, name, value in reversed(self.changed):
            if value is self:
                delattr(place, name)
            else:
                setattr(place, name, value)
        self.changed = []


def make_mode(torch):
    class CudaIsCpu(torch.overrides.TorchFunctionMode):
        """Calls of torch with "cuda" as "cpu"."""

        def __torch_function__(self, function, types, args=(), kwargs=None):
            kwargs = dict(kwargs or {})
            name = getattr(function, "__name__", "")
            if function is torch.Tensor.cuda or name == "pin_memory":
                return args[0]
            if name == "record_stream":
                return None
            kwargs.pop("pin_memory", None)
            if "device" in kwargs:
                kwargs["device"] = on_cpu(kwargs["device"])
            if function is torch.Tensor.to:
                args = tuple(map(on_cpu, args))
            return function(*args, **kwargs)

    return CudaIsCpu()
