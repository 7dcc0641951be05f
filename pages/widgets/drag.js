// Repaints a figure while a slider is dragged. The server is told when the slider is let go; until
// then the figure takes the state that came along for the stop; whatever lags behind turns pale.
// Whatever is missing, slider, figure or state, leaves things as they are without this file.

const ENDS = ["pointerup", "pointercancel"];

class Drag {
  constructor() {
    this.start = (event) => this.begin(event);
    this.end = () => this.finish();
    document.addEventListener("pointerdown", this.start, true);
    for (const end of ENDS) document.addEventListener(end, this.end, true);
  }

  take({ figure, sliders }) {
    Object.assign(this, { figure, sliders, parsed: {} });
  }

  // A slider's range names its stop in words, for readers who cannot see it.
  stop() {
    const label = CSS.escape(this.slider);
    const range = document.querySelector(`input[type=range][aria-label="${label}"]`);
    return range?.getAttribute("aria-valuetext");
  }

  // More stops may come along while the slider is held.
  frame(stop) {
    this.parsed[this.slider] ??= new Map(
      JSON.parse(this.sliders[this.slider] || "[]").map((frame) => [frame.name, frame]),
    );
    return this.parsed[this.slider].get(stop);
  }

  begin(event) {
    const group = event.target.closest?.("[role=group]");
    this.slider = group?.getAttribute("aria-label");
    if (!(this.slider in this.sliders)) return;
    this.shown = this.stop();
    this.dragging = true;
    const look = () => {
      if (!this.dragging) return;
      this.paint();
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }

  place() {
    return document.querySelector(`.dpcore-figure[data-key="${this.figure}"]`);
  }

  paint() {
    const stop = this.stop();
    const frame = this.frame(stop);
    const place = this.place();
    if (!place?.data) return;
    const awaited = stop !== this.shown && !frame && this.slider in this.sliders;
    place.classList.toggle("dpcore-behind", awaited);
    if (stop === this.shown || !frame) return;
    this.shown = stop;
    document.documentElement.classList.add("dpcore-dragging");
    const changed = new Set(frame.data.flatMap(Object.keys));
    const update = [...changed].map((key) => [key, frame.data.map((line) => line[key])]);
    globalThis.Plotly.update(place, Object.fromEntries(update), frame.layout ?? {}, frame.traces);
  }

  finish() {
    this.dragging = false;
    this.place()?.classList.remove("dpcore-behind");
    document.documentElement.classList.remove("dpcore-dragging");
  }

  leave() {
    this.finish();
    document.removeEventListener("pointerdown", this.start, true);
    for (const end of ENDS) document.removeEventListener(end, this.end, true);
  }
}

const drags = new WeakMap();

export default function ({ data, parentElement }) {
  const place = parentElement.querySelector(".dpcore-drag");
  if (!drags.has(place)) drags.set(place, new Drag());
  drags.get(place).take(data);
  return () => setTimeout(() => {
    if (place.isConnected) return;
    drags.get(place)?.leave();
    drags.delete(place);
  });
}
