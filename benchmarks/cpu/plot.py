"""A plot of shares of the peak by size, as SVG. Colours follow the reader's light or dark scheme; nothing but the text is
needed to draw it."""
import html

WIDTH, HEIGHT = 900, 420
LEFT, RIGHT, TOP, BOTTOM = 64, 44, 64, 56
COLOURS = (("#0b62c4", "#6db3ff"), ("#b3540a", "#ffab66"), ("#2e7d32", "#7fd184"), ("#7b3fa0", "#cf9df0"))
STYLE = """
text { font: 12px sans-serif; }
text.title { font: bold 16px sans-serif; }
.back { fill: #ffffff; }
.ink, .title { fill: #1c1c1c; }
.muted { fill: #5a5a5a; }
.grid { stroke: #e2e2e2; stroke-width: 1; }
.even { stroke: #333333; stroke-width: 2; }
@media (prefers-color-scheme: dark) {
  .back { fill: #16181c; }
  .ink, .title { fill: #ececec; }
  .muted { fill: #b0b4ba; }
  .grid { stroke: #2c3036; }
  .even { stroke: #d8d8d8; }
}
"""


def make_style():
    light = "".join(f".line{i} {{ stroke: {colour}; fill: none; stroke-width: 2; }}\n.mark{i} {{ fill: {colour}; }}\n"
                    for i, (colour, _) in enumerate(COLOURS))
    dark = "".join(f"  .line{i} {{ stroke: {colour}; }}\n  .mark{i} {{ fill: {colour}; }}\n"
                   for i, (_, colour) in enumerate(COLOURS))
    return STYLE + light + "@media (prefers-color-scheme: dark) {\n" + dark + "}\n"


def text(style, x, y, anchor, content):
    return f'<text class="{style}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(content)}</text>'


def line(style, x1, y1, x2, y2):
    return f'<line class="{style}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def draw(title, curves):
    """`curves`: by name, (size, percent) in any order."""
    sizes = sorted({int(size) for points in curves.values() for size, _ in points})
    most = max(100, *(10 * -(-percent // 10) for points in curves.values() for _, percent in points))
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM

    def x(size):
        return LEFT + (sizes.index(int(size)) + 0.5) / len(sizes) * (right - LEFT)

    def y(percent):
        return bottom - percent / most * (bottom - TOP)

    lines = ['<?xml version="1.0" encoding="UTF-8"?>',
             f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
             f'height="{HEIGHT}">',
             f"<title>{html.escape(title)}</title>", f"<style>{make_style()}</style>",
             f'<rect class="back" x="0" y="0" width="{WIDTH}" height="{HEIGHT}"/>',
             text("title", LEFT, 26, "start", title)]
    for percent in range(0, int(most) + 1, 20):
        lines += [line("even" if percent == 100 else "grid", LEFT, y(percent), right, y(percent)),
                  text("muted", LEFT - 8, y(percent) + 4, "end", f"{percent} %")]
    for size in sizes:
        lines.append(text("muted", x(size), bottom + 20, "middle", str(size)))
    lines.append(text("muted", (LEFT + right) / 2, HEIGHT - 14, "middle", "N of N x N matrices"))
    legend = LEFT
    for i, (name, points) in enumerate(curves.items()):
        points = sorted(points, key=lambda point: int(point[0]))
        if not points:
            continue
        path = " ".join(f"{x(size):.1f},{y(percent):.1f}" for size, percent in points)
        lines += [f'<polyline class="line{i}" points="{path}"/>',
                  f'<rect class="mark{i}" x="{legend:.1f}" y="38" width="10" height="10"/>',
                  text("ink", legend + 16, 48, "start", name)]
        legend += 50 + 7 * len(name)
        lines += [f'<circle class="mark{i}" cx="{x(size):.1f}" cy="{y(percent):.1f}" r="4">'
                  f"<title>{html.escape(name)}, {size}: {percent:.1f} %</title></circle>" for size, percent in points]
    return "\n".join(lines + ["</svg>", ""])
