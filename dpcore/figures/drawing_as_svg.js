// Drawings side by side in one; a browser without a window says what it has made as text.
Promise.all(figures.map((one) => Plotly.toImage(
  one, { format: "svg", width: one.layout.width, height: one.layout.height }
))).then((found) => {
  const code = (text) => btoa(unescape(encodeURIComponent(text)));
  const drawn = found.map((text) => code(decodeURIComponent(text.slice(text.indexOf(",") + 1))));
  document.body.innerHTML = drawn.map((text) => `<pre>${text}</pre>`).join("");
});
