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

// The picture is printed on the colour of the page: on its own, light words need a dark ground.
const camera = (Plotly, data) => ({
  name: "Save as PNG",
  icon: Plotly.Icons.camera,
  click: () => Plotly.downloadImage(
    { data: data.data, layout: { ...data.layout, paper_bgcolor: data.page } },
    data.config.toImageButtonOptions,
  ),
});

const watchers = new WeakMap();

// Follows the width of its place, and asks for other colours when the system turns dark or light.
const watch = (Plotly, place, setTriggerValue) => {
  const size = new ResizeObserver(() => place.isConnected && Plotly.Plots.resize(place));
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const ask = () => setTimeout(() => setTriggerValue("theme", dark.matches), 300);
  size.observe(place);
  dark.addEventListener("change", ask);
  watchers.set(place, () => {
    size.disconnect();
    dark.removeEventListener("change", ask);
  });
};

export default function ({ data, parentElement, setTriggerValue }) {
  const place = parentElement.querySelector(".dpcore-figure");
  place.setAttribute("aria-label", data.alt);
  place.style.height = `min(${data.height}px, ${100 * data.aspect}cqi)`;
  loadLibrary(data.library).then(async (Plotly) => {
    await waitForFont();
    if (!place.isConnected) return;
    const config = { ...data.config, modeBarButtons: [[camera(Plotly, data)]] };
    await Plotly.react(place, data.data, data.layout, config);
    if (!watchers.has(place)) watch(Plotly, place, setTriggerValue);
  });
  // Called at every change of the data too, and then the figure must stay.
  return () => setTimeout(() => {
    if (place.isConnected) return;
    watchers.get(place)?.();
    watchers.delete(place);
    globalThis.Plotly?.purge(place);
  });
}
