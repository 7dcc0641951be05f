// Draws a figure and updates it in place: the page's own chart element is taken down and set up
// again whenever its data change, and a curve that should move would blink.

const loadLibrary = (path) => (globalThis.dpcorePlotly ??= new Promise((resolve, reject) => {
  const script = document.createElement("script");
  script.src = new URL(path, document.baseURI).href;
  script.onload = () => resolve(globalThis.Plotly);
  script.onerror = () => reject(new Error(`cannot load ${path}`));
  document.head.append(script);
}));

// Words are measured once, when they are first drawn: wait a moment for their font.
const waitForFont = () => (globalThis.dpcoreFont ??= (async () => {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    if ((await document.fonts.load('14px "Source Sans"')).length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
})());

const watchers = new WeakMap();

export default function ({ data, parentElement }) {
  const place = parentElement.querySelector(".dpcore-figure");
  place.setAttribute("aria-label", data.alt);
  place.style.height = `min(${data.height}px, ${100 * data.aspect}cqi)`;
  loadLibrary(data.library).then(async (Plotly) => {
    await waitForFont();
    if (!place.isConnected) return;
    await Plotly.react(place, data.data, data.layout, data.config);
    if (!watchers.has(place)) {
      const watcher = new ResizeObserver(() => place.isConnected && Plotly.Plots.resize(place));
      watchers.set(place, watcher);
      watcher.observe(place);
    }
  });
  // Called at every change of the data too, and then the figure must stay.
  return () => setTimeout(() => {
    if (place.isConnected) return;
    watchers.get(place)?.disconnect();
    watchers.delete(place);
    globalThis.Plotly?.purge(place);
  });
}
