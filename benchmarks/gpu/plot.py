"""A plot of speedups as SVG, as figures 18 to 21 of the Volta paper: a point for each problem, from the least to the
largest. Colours follow the reader's light or dark scheme; nothing but the text is needed to draw it."""
import html
import itertools
import math

WIDTH, HEIGHT = 900, 420
LEFT, RIGHT, TOP, BOTTOM = 64, 44, 64, 56
MARKS = ("circle", "square")
STYLE = """
text { font: 12px sans-serif; }
text.title { font: bold 16px sans-serif; }
.back { fill: #ffffff; }
.ink, .title { fill: #1c1c1c; }
.muted { fill: #5a5a5a; }
.grid { stroke: #e2e2e2; stroke-width: 1; }
.even { stroke: #333333; stroke-width: 2; }
.mark0 { fill: #0b62c4; stroke: #ffffff; stroke-width: 1; }
.mark1 { fill: #b3540a; stroke: #ffffff; stroke-width: 1; }
.mean0 { stroke: #0b62c4; stroke-width: 1; stroke-dasharray: 6 4; }
.mean1 { stroke: #b3540a; stroke-width: 1; stroke-dasharray: 6 4; }
@media (prefers-color-scheme: dark) {
  .back { fill: #16181c; }
  .ink, .title { fill: #ececec; }
  .muted { fill: #b0b4ba; }
  .grid { stroke: #2c3036; }
  .even { stroke: #d8d8d8; }
  .mark0 { fill: #6db3ff; stroke: #16181c; }
  .mark1 { fill: #ffab66; stroke: #16181c; }
  .mean0 { stroke: #6db3ff; }
  .mean1 { stroke: #ffab66; }
}
"""


def text(style, x, y, anchor, content, more=""):
    return f'<text class="{style}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{html.escape(content)}</text>'


def line(style, x1, y1, x2, y2):
    return f'<line class="{style}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def mark(number, x, y, tooltip=""):
    style = f"mark{number}"
    inside = f"<title>{html.escape(tooltip)}</title>"
    if MARKS[number] == "circle":
        return f'<circle class="{style}" cx="{x:.1f}" cy="{y:.1f}" r="4.5">{inside}</circle>'
    return f'<rect class="{style}" x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8">{inside}</rect>'


def get_gflop(size):
    return 2e-9 * math.prod(map(int, size.split("x")))


def choose_step(top):
    """Of the grid: at most ten lines."""
    steps = (first * 10 ** power for power in itertools.count(-1) for first in (1, 2, 2.5, 5))
    return next(step for step in steps if top / step <= 10)


def draw(title, curves):
    """`curves`: by name, problems in the order in which they are drawn, as (M x N x K, speedup)."""
    sizes = list(dict.fromkeys(size for points in curves.values() for size, _ in points))
    sizes.sort(key=get_gflop)
    place = {size: i for i, size in enumerate(sizes)}
    most = max(1.2, *(1.05 * speedup for points in curves.values() for _, speedup in points))
    step = choose_step(most)
    top = step * math.ceil(most / step)

    def x(index):
        return LEFT + (index + 0.5) / len(sizes) * (WIDTH - LEFT - RIGHT)

    def y(speedup):
        return HEIGHT - BOTTOM - speedup / top * (HEIGHT - TOP - BOTTOM)

    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    lines = ['<?xml version="1.0" encoding="UTF-8"?>',
             f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
             f'height="{HEIGHT}">',
             f"<title>{html.escape(title)}</title>", f"<style>{STYLE}</style>",
             f'<rect class="back" x="0" y="0" width="{WIDTH}" height="{HEIGHT}"/>',
             text("title", LEFT, 26, "start", title)]
    for i in range(round(top / step) + 1):
        lines += [line("grid", LEFT, y(i * step), right, y(i * step)),
                  text("muted", LEFT - 8, y(i * step) + 4, "end", f"{i * step:.4g}x")]
    for i in range(min(5, len(sizes))):
        index = round(i * (len(sizes) - 1) / max(1, min(5, len(sizes)) - 1))
        lines += [line("grid", x(index), bottom, x(index), bottom + 5),
                  text("muted", x(index), bottom + 20, "middle", f"{get_gflop(sizes[index]):.3g} GFLOP")]
    lines += [text("muted", (LEFT + right) / 2, HEIGHT - 14, "middle", f"{len(sizes)} problems, by M N K"),
              text("muted", 16, (TOP + bottom) / 2, "middle", "speedup",
                   f' transform="rotate(-90 16 {(TOP + bottom) / 2:.1f})"'),
              line("even", LEFT, y(1), right, y(1))]
    legend = LEFT
    for number, (name, points) in enumerate(curves.items()):
        mean = math.exp(sum(math.log(speedup) for _, speedup in points) / len(points))
        label = f"over {name}: geometric mean {mean:.3f}x"
        lines += [line(f"mean{number}", LEFT, y(mean), right, y(mean)),
                  mark(number, legend + 5, 44), text("ink", legend + 16, 48, "start", label)]
        legend += 40 + 7 * len(label)
        lines += [mark(number, x(place[size]), y(speedup), f"{size}: {speedup:.3f}x over {name}")
                  for size, speedup in points]
    return "\n".join(lines + ["</svg>", ""])
