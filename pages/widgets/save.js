// Saves a figure as the visitor sees it. All of it happens in the browser, from what it was sent.

const STAMPS = { SIMULATION: "simulation", "exact, not private": "exact" };
const stampOf = (layout) => (
  (layout.annotations ?? []).map((one) => STAMPS[one.text]).find(Boolean)
);

const hand = (name, type, text) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};

// Plotly's text is a kind of HTML, in which the server has escaped what came from a file.
const SIGNS = { "&lt;": "<", "&gt;": ">", "&#37;": "%", "&amp;": "&" };
const unescaped = (text) => text.replace(/&(?:lt|gt|amp|#37);/g, (sign) => SIGNS[sign]);

// What a spreadsheet would run as a formula is quoted, as in other tables that are saved.
const cell = (value) => {
  const given = unescaped(String(value ?? ""));
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(given) ? `'${given}` : given;
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

// The edges of a band are two lines, of which the second fills the space to the first.
const nameOf = (trace, place, traces) => {
  if (trace.fill === "tonexty") return `${trace.name ?? ""} (upper)`.trim();
  const next = traces[place + 1];
  if (!trace.name && next?.fill === "tonexty") return `${next.name ?? ""} (lower)`.trim();
  return trace.name ?? `trace ${place + 1}`;
};

// One line for each point; a field of colours has one for each cell. Where a line is interrupted, and
// where only the legend shows it, there is no point.
const rowsOf = (trace) => {
  if (!trace.z) {
    const length = Math.max(trace.x?.length ?? 0, trace.y?.length ?? 0);
    const points = Array.from({ length }, (_, i) => [trace.x ? trace.x[i] : i, trace.y ? trace.y[i] : i, ""]);
    return points.filter(([x, y]) => x != null && y != null);
  }
  return Array.from(trace.z).flatMap((line, row) => Array.from(line, (value, column) => [
    trace.x?.[column] ?? column, trace.y?.[row] ?? row, value,
  ]));
};

// The ends of the bars about a point are lines of their own, as the edges of a band are.
const endsOf = (trace, sign) => ["x", "y"].filter((axis) => trace[`error_${axis}`]?.array).map((axis) => {
  const { array, arrayminus = array } = trace[`error_${axis}`];
  const far = sign < 0 ? arrayminus : array;
  const ends = Array.from(trace[axis], (at, i) => at == null ? at : +(at + sign * far[i]).toPrecision(12));
  return { ...trace, [axis]: ends };
});
const linesOf = (trace, name) => [
  [name, trace],
  ...endsOf(trace, -1).map((end) => [`${name} (lower)`, end]),
  ...endsOf(trace, 1).map((end) => [`${name} (upper)`, end]),
];

// Rows of bars and cells of a map are numbered, and named by their axes.
const nameAt = ({ tickvals, ticktext } = {}, place) => ticktext?.[tickvals.indexOf(place)] ?? place;
const namedBy = (trace, layout) => {
  const across = trace.z ? layout[(trace.xaxis ?? "x").replace("x", "xaxis")] : undefined;
  const up = layout[(trace.yaxis ?? "y").replace("y", "yaxis")];
  return ([x, y, value]) => [nameAt(across, x), nameAt(up, y), value];
};

const csvOf = (figures, noise) => {
  const points = figures.flatMap(({ figure: { data, layout } }, which) =>
    data.flatMap((trace, place) => {
      const name = `${which ? "pinned: " : ""}${nameOf(trace, place, data)}`;
      const named = namedBy(trace, layout);
      return linesOf(trace, name).flatMap(([line, points]) => (
        rowsOf(points).map(named).map((row) => [line, ...row, noise])));
    }));
  const text = [["line", "x", "y", "value", "noise"], ...points]
    .map((row) => row.map(cell).join(",")).join("\n") + "\n";
  // Without its mark a spreadsheet takes the bytes of other letters for those of another encoding.
  return /[^\0-\x7f]/.test(text) ? `\ufeff${text}` : text;
};

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

// A document that needs no network: the drawing library is written into it.
const htmlOf = (library, figures, data) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<title>${escaped(data.config.toImageButtonOptions.filename)}</title>
<style>body { margin: 1rem; background: ${data.page}; color: ${data.layout.font?.color ?? "inherit"};
  font: 1rem system-ui, sans-serif; display: flex; flex-wrap: wrap; gap: 1rem; }
section { flex: 1 1 24rem; min-width: 0; } p { margin: 0; } .figure { height: ${data.height}px; }</style>
<script>${library}</script></head>
<body>${figures.map((one, i) => `<section>${one.words ? `<p>${escaped(one.words)}</p>` : ""}
<div id="figure${i || ""}" class="figure" role="img" aria-label="${escaped(one.alt)}"></div></section>`).join("")}
<script>${figures.map((one, i) => `{
const figure = ${JSON.stringify(one.figure).replaceAll("<", "\\u003c")};
Plotly.newPlot("figure${i || ""}", figure.data, figure.layout, { displayModeBar: false, responsive: true });
}`).join("\n")}</script></body></html>
`;

// What stands at the head of the page: its name, and what is open.
const titleOf = () => (
  (document.querySelector(".st-key-heading")?.innerText ?? "").trim().split(/\n+/).join(" \u00b7 ")
);

// Drawings side by side in one, each under its words: those of two settings that are compared.
const CAPTION = 40;
const together = async (figures, image, data) => {
  const { width, height } = image;
  const drawings = await Promise.all(figures.map(async ({ figure }) => {
    // Scaled when all is drawn: a drawing of twice the size would be cut to its place.
    const text = await globalThis.Plotly.toImage(figure, { ...image, format: "svg", scale: 1 });
    return decodeURIComponent(text.slice(text.indexOf(",") + 1));
  }));
  const ink = data.layout.font?.color ?? "#000000";
  const parts = drawings.map((drawing, i) => (
    `<text x="${i * width + 16}" y="28" font-family="sans-serif" font-size="18" fill="${ink}">`
    + `${escaped(figures[i].words)}</text>`
    + `<svg x="${i * width}" y="${CAPTION}" ${drawing.slice(drawing.indexOf("<svg") + 5)}`
  ));
  const size = [figures.length * width, height + CAPTION];
  return { size, text: `<svg xmlns="http://www.w3.org/2000/svg" width="${size[0]}" height="${size[1]}">`
    + `<rect width="100%" height="100%" fill="${data.page}"/>${parts.join("")}</svg>` };
};

const rasterised = async ({ size, text }, scale) => {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = size.map((length) => scale * length);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
};

// The picture stands on the colour of the page: on its own, light words need a dark ground. Nor does
// the page's font come along: words are measured in one that is there when the picture is drawn.
const shownFigure = (place, data) => {
  const { width, height, ...layout } = data.layout;
  const font = { ...layout.font, family: "sans-serif" };
  return { data: place.data, layout: { ...layout, font, paper_bgcolor: data.page } };
};

// The figure itself, and the one that is pinned beside it.
const figuresOf = (place, data) => {
  const [key, now, pinned] = data.beside ?? [];
  const first = { figure: shownFigure(place, data), words: now ?? "", alt: data.alt };
  const other = key && document.querySelector(`.dpcore-figure[data-key="${CSS.escape(key)}"]`);
  if (!other?.data) return [first];
  const figure = shownFigure(other, { layout: other.layout, page: data.page });
  return [first, { figure, words: pinned, alt: other.getAttribute("aria-label") }];
};

const save = async (form, place, data) => {
  const image = data.config.toImageButtonOptions;
  const stamp = stampOf(data.layout);
  const name = stamp ? `${image.filename}-${stamp}` : image.filename;
  const figures = figuresOf(place, data);
  if (form === "csv") {
    hand(`${name}.csv`, "text/csv", csvOf(figures, stamp ?? "private"));
  } else if (form === "html") {
    const library = await (await fetch(new URL(data.library, document.baseURI))).text();
    hand(`${name}.html`, "text/html", htmlOf(library, figures, data));
  } else {
    // On a slide nothing else says of which page and data it is.
    const [{ words, ...first }, ...other] = figures;
    const titled = [{ ...first, words: words || titleOf() }, ...other];
    const drawing = await together(titled, image, data);
    if (form === "svg") hand(`${name}.svg`, "image/svg+xml", drawing.text);
    else hand(`${name}.png`, "image/png", await rasterised(drawing, image.scale));
  }
};
