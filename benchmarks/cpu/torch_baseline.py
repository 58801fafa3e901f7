"""Torch's ways to compute the problems: all that its interface offers, of which the fastest counts.

Extended indices become strided views where they are affine. Where they are read from tables, torch gets what it would
have to find out first, before the clock looks: the places in the operand that are read, or weights' places in a filter.
"""
CONVOLUTIONS = {"conv2d": (1, 1), "conv2d_dilated": (1, 2), "conv2d_strided": (2, 1)}  # stride, dilation
# Of cases: the names of functions below, or an equation of torch.einsum.
VARIANTS = {
    "gemm": ("einsum mk,kn->mn", "mm"), "gemm_ta": ("einsum km,kn->mn", "mm ta"),
    "gemm_tb": ("einsum mk,nk->mn", "mm tb"), "two_axes": ("einsum ikl,kjl->ij", "two_axes"),
    **{name: ("window", "conv2d") for name in CONVOLUTIONS},
    "depthwise": ("window", "conv2d"), "pointwise": ("einsum nchw,ck->nkhw", "conv2d", "matmul"),
    "shift": ("places", "places matmul", "filter"), "shift_padded": ("places", "places matmul", "filter"),
    "sparse": ("places", "places matmul", "filter"), "sparse_per_channel": ("places", "places matmul", "filter"),
    "attention_bmm": ("einsum nths,hes->nhte", "matmul"), "permute": ("contiguous", "copy"),
    "tensor_operation": ("einsum ackm,bcnk->abnm", "matmul"),
}


def find_variants(case):
    return VARIANTS[case]


def make(row, variant, computation, arrays):
    """A function that returns the result, in the order of the result's letters."""
    import torch
    torch.set_grad_enabled(False)
    operands = [torch.from_numpy(array) for array in arrays]
    if computation.type == "bf16":
        operands = [operand.view(torch.bfloat16) for operand in operands]
    kind, _, rest = variant.partition(" ")
    a, b = (*operands, None)[:2]
    if kind == "einsum":
        return lambda: torch.einsum(rest, a, b)
    if kind == "int_mm":
        result = torch.empty(computation.result_shape(), dtype=torch.int32)
        return lambda: torch._int_mm(a, b, out=result)  # pylint: disable=protected-access
    if kind in ("mm", "bmm"):
        a, b = (a.t() if rest == "ta" else a), (b.t() if rest == "tb" else b)
        result = torch.empty(computation.result_shape(), dtype=a.dtype)
        multiply = torch.mm if kind == "mm" else torch.bmm
        return lambda: multiply(a, b, out=result)
    if kind == "conv2d" and row.group.startswith("conv"):
        return make_layer(torch, a, b, rest)
    functions = {"contiguous": make_permutation, "copy": make_permutation, "two_axes": make_two_axes,
                 "window": make_window, "conv2d": make_convolution, "matmul": make_products, "places": make_places,
                 "filter": make_filter}
    return functions[kind](torch, row.name, variant, computation, a, b)


def read(result):
    """As an array of NumPy, which has no bf16."""
    import torch
    return (result.view(torch.uint16) if result.dtype == torch.bfloat16 else result).numpy()


def make_layer(torch, image, filters, order):
    """A convolution whose weights are in the order that is best, as those of oneDNN. Results are seen as nkhw."""
    if order == "nhwc":
        image, filters = image.permute(0, 3, 1, 2), filters.permute(3, 2, 0, 1).contiguous(
            memory_format=torch.channels_last)
        return lambda: torch.conv2d(image, filters).permute(0, 2, 3, 1)
    return lambda: torch.conv2d(image, filters)


def make_permutation(torch, name, variant, computation, a, _):
    if variant == "contiguous":
        return lambda: a.permute(0, 2, 1, 3).contiguous()
    result = torch.empty(computation.result_shape())
    return lambda: result.copy_(a.permute(0, 2, 1, 3))


def make_two_axes(torch, name, variant, computation, a, b):
    i, k, l = a.shape
    return lambda: torch.mm(a.view(i, k * l), b.transpose(1, 2).reshape(k * l, -1))


def make_window(torch, name, variant, computation, a, b):
    sizes = computation.all_sizes()
    stride, dilation = CONVOLUTIONS.get(name, (1, 1))
    n, c, y, x = a.stride()
    view = a.as_strided([sizes[letter] for letter in "nchwrs"],
                        [n, c, stride * y, stride * x, dilation * y, dilation * x])
    equation = "nchwrs,crs->nchw" if name == "depthwise" else "nchwrs,ckrs->nkhw"
    return lambda: torch.einsum(equation, view, b)


def make_convolution(torch, name, variant, computation, a, b):
    if name == "depthwise":
        return lambda: torch.conv2d(a, b.unsqueeze(1), groups=a.shape[1])
    if name == "pointwise":
        return lambda: torch.conv2d(a, b.t()[:, :, None, None])
    stride, dilation = CONVOLUTIONS[name]
    return lambda: torch.conv2d(a, b.transpose(0, 1), stride=stride, dilation=dilation)


def make_products(torch, name, variant, computation, a, b):
    if name == "pointwise":
        n, c, h, w = a.shape
        return lambda: torch.matmul(b.t(), a.view(n, c, h * w)).view(n, -1, h, w)
    if name == "attention_bmm":
        return lambda: torch.matmul(a.transpose(1, 2), b.transpose(1, 2))
    # Blocks of ackm, bcnk -> abnm: a product of (a m) x (c k) and (c k) x (b n).
    rows, summed, k, m = a.shape
    columns, _, n, _ = b.shape
    return lambda: torch.mm(b.permute(0, 2, 1, 3).reshape(columns * n, summed * k),
                            a.permute(1, 2, 0, 3).reshape(summed * k, rows * m)
                            ).view(columns, n, rows, m).permute(2, 0, 1, 3).contiguous()


def find_offsets(computation):
    """Of each weight c or c, x: how far it reaches."""
    import numpy as np
    first, second = computation.tables.values()
    if computation.spec.count("[c,x]") == 0 and "[x]" in computation.spec:
        shape = (computation.all_sizes()["c"], len(first))
        first, second = (np.broadcast_to(table, shape) for table in (first, second))
    return first.astype(np.int64), second.astype(np.int64)


def make_places(torch, name, variant, computation, a, b):
    """Reads the operand at places, then contracts."""
    import numpy as np
    sizes = computation.all_sizes()
    n, c, h, w = (sizes[letter] for letter in "nchw")
    pad = 1 if computation.pad else 0
    down, right = find_offsets(computation)
    height, width = a.shape[2] + 2 * pad, a.shape[3] + 2 * pad
    channel = np.arange(c).reshape([c] + [1] * (down.ndim + 1))
    row = np.arange(h)[:, None] + (down + pad)[..., None, None]
    column = np.arange(w) + (right + pad)[..., None, None]
    places = torch.from_numpy(np.ascontiguousarray((channel * height + row) * width + column).reshape(-1))
    weights = b if b.dim() == 2 else b.permute(1, 2, 0).reshape(-1, b.shape[0])  # (c x) k
    shape = [n, -1, h * w]

    def read():
        padded = torch.constant_pad_nd(a, (pad,) * 4) if pad else a
        return padded.view(n, -1).index_select(1, places).view(shape)

    if variant == "places":
        return lambda: torch.einsum("nci,ck->nki", read(), weights).view(n, -1, h, w)
    return lambda: torch.matmul(weights.t(), read()).view(n, -1, h, w)


def make_filter(torch, name, variant, computation, a, b):
    """Puts weights into a filter that is zero elsewhere, then convolves."""
    import numpy as np
    down, right = find_offsets(computation)
    pad = 1 if computation.pad else 0
    span = max(down.max(), right.max()) + pad + 1
    channel = np.arange(a.shape[1]).reshape([-1] + [1] * (down.ndim - 1))
    places = ((channel * span + down + pad) * span + right + pad).reshape(-1)
    places = torch.from_numpy(np.ascontiguousarray(places))
    weights = b.t() if b.dim() == 2 else b.reshape(b.shape[0], -1)
    outputs = weights.shape[0]

    def convolve():
        filters = torch.zeros(outputs, a.shape[1] * span * span)
        filters.index_add_(1, places, weights)
        return torch.conv2d(a, filters.view(outputs, -1, span, span), padding=pad)

    # An image may be larger than the reach of the tables needs.
    h, w = computation.result_shape()[2:]
    return lambda: convolve()[:, :, :h, :w]
