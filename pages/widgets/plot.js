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
// What the server has sent last for each figure.
const drawn = new WeakMap();

// Follows the width of its place, and asks for other colours when the system turns dark or light.
const watch = (Plotly, place, setTriggerValue) => {
  let width = place.offsetWidth;
  const size = new ResizeObserver(async () => {
    if (!place.isConnected) return;
    await Plotly.Plots.resize(place);
    // A legend that now takes fewer lines lies on the title above it, until all is drawn again.
    if (!place.isConnected || width === (width = place.offsetWidth)) return;
    await Plotly.redraw(place);
  });
  const dark = matchMedia("(prefers-color-scheme: dark)");
  // Of several figures that ask at once only some may be heard: ask again until colours come.
  const ask = (event, times = 4, delay = 300) => setTimeout(() => {
    const old = drawn.get(place).page;
    setTriggerValue("theme", dark.matches);
    setTimeout(() => {
      if (place.isConnected && times > 1 && drawn.get(place).page === old) ask(event, times - 1, 0);
    }, 2500);
  }, delay);
  size.observe(place);
  dark.addEventListener("change", ask);
  watchers.set(place, () => {
    size.disconnect();
    dark.removeEventListener("change", ask);
  });
};

// Puts a frame of Plotly's on the figure: some traces take other coordinates. What a trace keeps is
// undefined here, and Plotly passes it over.
const apply = (place, frame) => {
  const changed = new Set(frame.data.flatMap(Object.keys));
  const update = [...changed].map((key) => [key, frame.data.map((line) => line[key])]);
  globalThis.Plotly.restyle(place, Object.fromEntries(update), frame.traces);
};

// Buttons that play and step through frames. Nothing moves by itself, and where the system asks for
// less motion there is no button to play.
class Player {
  constructor(place, bar) {
    Object.assign(this, { place, bar, frames: [], at: 0, timer: 0 });
    const act = { back: () => this.step(-1), next: () => this.step(1), play: () => this.toggle() };
    bar.addEventListener("click", (event) => act[event.target.dataset.act]?.());
    this.playButton = bar.querySelector("[data-act=play]");
    this.name = bar.querySelector(".dpcore-player-name");
  }

  // A page that follows the steps has drawn the frame `at`, and is told of others by `report`; the
  // same frames again come of what it was told, and must not undo a step made since.
  take(frames, at, report) {
    const same = at !== null && JSON.stringify(frames) === JSON.stringify(this.frames);
    this.report = at === null ? () => {} : report;
    if (same) return apply(this.place, frames[this.at]);
    this.pause();
    Object.assign(this, { frames, at: at ?? 0 });
    this.bar.hidden = frames.length === 0;
    this.playButton.hidden = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (frames.length) this.name.textContent = frames[this.at].name;
  }

  show(at) {
    this.at = (at + this.frames.length) % this.frames.length;
    this.name.textContent = this.frames[this.at].name;
    apply(this.place, this.frames[this.at]);
  }

  step(by) {
    this.pause();
    this.show(this.at + by);
    this.tell();
  }

  // Not at every step of somebody in a hurry.
  tell() {
    clearTimeout(this.telling);
    this.telling = setTimeout(() => this.place.isConnected && this.report(this.at), 400);
  }

  toggle() {
    if (this.timer) {
      this.pause();
      return this.tell();
    }
    this.playButton.textContent = "Pause";
    this.timer = setInterval(() => {
      if (this.place.isConnected) this.show(this.at + 1);
      else this.pause();
    }, 700);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.playButton.textContent = "Play";
  }
}

const players = new WeakMap();

const playerOf = (place, parentElement) => {
  if (!players.has(place)) {
    players.set(place, new Player(place, parentElement.querySelector(".dpcore-player")));
  }
  return players.get(place);
};

export default function ({ data, parentElement, setTriggerValue }) {
  const place = parentElement.querySelector(".dpcore-figure");
  drawn.set(place, data);
  place.setAttribute("aria-label", data.alt);
  Object.assign(place.dataset, { key: data.key, page: data.page });
  place.style.height = data.place;
  parentElement.querySelector(".dpcore-save").onclick = (event) => {
    const button = event.target.closest("[data-save]");
    if (button) save(button.dataset.save, place, data);
  };
  const words = data.beside ? "Save both figures" : "Save this figure";
  parentElement.querySelector(".dpcore-save > span").textContent = words;
  const pin = parentElement.querySelector(".dpcore-pin");
  Object.assign(pin, { hidden: !data.button, textContent: data.button });
  pin.onclick = () => setTriggerValue("press", true);
  loadLibrary(data.library).then(async (Plotly) => {
    await waitForFont();
    if (!place.isConnected) return;
    // The buttons beneath save figures: Plotly's own bar would be something to press in a picture.
    const config = { ...data.config, displayModeBar: false };
    await Plotly.react(place, data.data, data.layout, config);
    if (!watchers.has(place)) watch(Plotly, place, setTriggerValue);
    const report = (at) => setTriggerValue("step", at);
    playerOf(place, parentElement).take(data.frames, data.at, report);
  });
  // Called at every change of the data too, and then the figure must stay.
  return () => setTimeout(() => {
    if (place.isConnected) return;
    watchers.get(place)?.();
    watchers.delete(place);
    players.get(place)?.pause();
    players.delete(place);
    globalThis.Plotly?.purge(place);
  });
}
