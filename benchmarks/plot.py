"""The plots of docs/benchmarks.md, drawn by matplotlib, as text of SVG. The same rows give the same text. Points of curve
i have the id `points<i>`, by which tests find them."""
import io
import math

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as pyplot

MARKS = "osD^"


def make_axes(title, label_x, label_y):
    figure, axes = pyplot.subplots(figsize=(9, 4.2))
    axes.set_title(title, loc="left", fontweight="bold")
    axes.set_xlabel(label_x)
    axes.set_ylabel(label_y)
    axes.grid(axis="y", color="#dddddd")
    axes.set_axisbelow(True)
    return figure, axes


def write(figure, axes):
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)
    text = io.StringIO()
    # Ids are random and a date is written unless told otherwise.
    with matplotlib.rc_context({"svg.hashsalt": "tileir", "svg.fonttype": "none"}):
        figure.savefig(text, format="svg", bbox_inches="tight", metadata={"Date": None})
    pyplot.close(figure)
    return text.getvalue()


def draw_shares(title, curves):
    """Shares of the peak by size. `curves`: by name, (size, percent) in any order."""
    sizes = sorted({int(size) for points in curves.values() for size, _ in points})
    figure, axes = make_axes(title, "N of N x N matrices", "percent of the peak")
    axes.axhline(100, color="black", linewidth=1)
    for i, (name, points) in enumerate(curves.items()):
        points = sorted((sizes.index(int(size)), percent) for size, percent in points)
        if points:
            axes.plot(*zip(*points), marker=MARKS[i], label=name, gid=f"points{i}")
    axes.set_xticks(range(len(sizes)), sizes)
    return write(figure, axes)


def get_gflop(size):
    return 2e-9 * math.prod(map(int, size.split("x")))


def draw_speedups(title, curves):
    """Speedups as figures 18 to 21 of the Volta paper: a point for each problem, from the least to the largest.
    `curves`: by name, (M x N x K, speedup)."""
    sizes = sorted({size for points in curves.values() for size, _ in points}, key=lambda size: (get_gflop(size), size))
    places = {size: i for i, size in enumerate(sizes)}
    figure, axes = make_axes(title, f"{len(sizes)} problems, by M N K", "speedup")
    axes.axhline(1, color="black", linewidth=1)
    for i, (name, points) in enumerate(curves.items()):
        mean = math.exp(sum(math.log(speedup) for _, speedup in points) / len(points))
        axes.axhline(mean, color=f"C{i}", linewidth=1, linestyle="--")
        axes.plot([places[size] for size, _ in points], [speedup for _, speedup in points], MARKS[i], color=f"C{i}",
                  markersize=5, label=f"over {name}: geometric mean {mean:.3f}x", gid=f"points{i}")
    ticks = sorted({round(i * (len(sizes) - 1) / 4) for i in range(5)})
    axes.set_xticks(ticks, [f"{get_gflop(sizes[tick]):.3g} GFLOP" for tick in ticks])
    return write(figure, axes)
