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

const cell = (value) => {
  const text = unescaped(String(value ?? ""));
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

// The edges of a band are two lines, of which the second fills the space to the first.
const nameOf = (trace, place, traces) => {
  if (trace.fill === "tonexty") return `${trace.name ?? ""} (upper)`.trim();
  const next = traces[place + 1];
  if (!trace.name && next?.fill === "tonexty") return `${next.name ?? ""} (lower)`.trim();
  return trace.name ?? `trace ${place + 1}`;
};

// One line for each point; a field of colours has one for each cell.
const rowsOf = (trace) => {
  if (!trace.z) {
    const length = Math.max(trace.x?.length ?? 0, trace.y?.length ?? 0);
    return Array.from({ length }, (_, i) => [trace.x?.[i] ?? i, trace.y?.[i] ?? i, ""]);
  }
  return Array.from(trace.z).flatMap((line, row) => Array.from(line, (value, column) => [
    trace.x?.[column] ?? column, trace.y?.[row] ?? row, value,
  ]));
};

const csvOf = (traces, noise) => {
  const points = traces.flatMap((trace, place) => (
    rowsOf(trace).map((row) => [nameOf(trace, place, traces), ...row, noise])
  ));
  return [["line", "x", "y", "value", "noise"], ...points]
    .map((row) => row.map(cell).join(",")).join("\n") + "\n";
};

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

// A document that needs no network: the drawing library is written into it.
const htmlOf = (library, figure, data) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<title>${escaped(data.config.toImageButtonOptions.filename)}</title>
<style>body { margin: 1rem; background: ${data.page}; } #figure { height: ${data.height}px; }</style>
<script>${library}</script></head>
<body><div id="figure" role="img" aria-label="${escaped(data.alt)}"></div>
<script>const figure = ${JSON.stringify(figure).replaceAll("<", "\\u003c")};
Plotly.newPlot("figure", figure.data, figure.layout, { displayModeBar: false, responsive: true });
</script></body></html>
`;

// The picture stands on the colour of the page: on its own, light words need a dark ground.
const shownFigure = (place, data) => {
  const { width, height, ...layout } = data.layout;
  return { data: place.data, layout: { ...layout, paper_bgcolor: data.page } };
};

const save = async (form, place, data) => {
  const image = data.config.toImageButtonOptions;
  const stamp = stampOf(data.layout);
  const name = stamp ? `${image.filename}-${stamp}` : image.filename;
  const figure = shownFigure(place, data);
  if (form === "csv") {
    hand(`${name}.csv`, "text/csv", csvOf(figure.data, stamp ?? "private"));
  } else if (form === "html") {
    const library = await (await fetch(new URL(data.library, document.baseURI))).text();
    hand(`${name}.html`, "text/html", htmlOf(library, figure, data));
  } else {
    await globalThis.Plotly.downloadImage(figure, { ...image, format: form, filename: name });
  }
};
