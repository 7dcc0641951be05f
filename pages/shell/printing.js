// What a printed page needs and a screen does not: which data and choices it shows, everything that
// is folded, and on white paper the colours of a light page. After printing all is as it was.

// So wide is the paper between its margins, in CSS pixels; A4 and Letter have a little more.
const PAPER = 680;
const CONTROLS = ".stSlider, .stSelectbox, .stMultiSelect, .stButtonGroup, .stNumberInput,"
  + " .stCheckbox, .stRadio";

// Text as it is read: what stands side by side on the screen is no single word.
const words = (element) => [...element?.childNodes ?? []]
  .map((node) => (node.nodeType === Node.TEXT_NODE ? node.data : words(node)).trim())
  .filter(Boolean).join(" ").replace(/\s+/g, " ");

// What a control shows, however it shows it; nothing of one that is left empty.
const chosen = (control) => {
  const all = (selector) => [...control.querySelectorAll(selector)].map(words);
  if (control.matches(".stCheckbox")) return [control.querySelector("input").checked ? "yes" : ""];
  if (control.matches(".stSlider")) return all("[data-testid=stSliderThumbValue]");
  if (control.matches(".stMultiSelect")) return all("[data-tag], [data-baseweb=tag], [role=row]");
  if (control.matches(".stButtonGroup")) return all("[aria-checked=true], [aria-pressed=true]");
  if (control.matches(".stRadio")) return all("label:has(input:checked)");
  return [control.querySelector("input")?.value ?? ""];
};

const choices = () => [...document.querySelectorAll(`.stMain :is(${CONTROLS})`)].flatMap((control) => {
  const label = words(control.querySelector("[data-testid=stWidgetLabel] p"));
  const found = chosen(control).filter(Boolean).join(", ");
  return label && found ? [`${label}: ${found}`] : [];
});

// Lines of the sidebar, which is not printed itself.
const beside = (ofRecords) => {
  const of = (selector) => [...document.querySelectorAll(`.stSidebar ${selector}`)].map(words);
  const records = [
    of(".dpcore-aside .name, .stSidebar .dpcore-aside .more").join(", "),
    of(".dpcore-meter .total, .stSidebar .dpcore-meter .line").join("; "),
  ];
  return [
    ...(ofRecords ? records : []),
    of(".st-key-mode [data-testid=stCaptionContainer]").join(" "),
  ];
};

class Printing {
  constructor() {
    this.undo = [];
    this.paper = matchMedia("print");
    this.begin = () => this.undo.length || this.prepare();
    this.end = () => this.undo.splice(0).forEach((step) => step());
    this.turn = () => (this.paper.matches ? this.begin() : this.end());
    // Not every browser tells both.
    addEventListener("beforeprint", this.begin);
    addEventListener("afterprint", this.end);
    this.paper.addEventListener("change", this.turn);
  }

  prepare() {
    this.note();
    this.unfold();
    this.lighten();
    this.fit();
  }

  note() {
    const place = document.createElement("aside");
    place.className = "dpcore-hand-out";
    const now = new Date().toISOString().slice(0, 10);
    for (const line of [...beside(this.ofRecords), choices().join("; "), `${now}, ${location.href}`]) {
      if (line) place.appendChild(document.createElement("p")).textContent = line;
    }
    document.querySelector("[data-testid=stMainBlockContainer]")?.prepend(place);
    this.undo.push(() => place.remove());
  }

  unfold() {
    for (const folded of document.querySelectorAll(".stMain details:not([open])")) {
      folded.open = true;
      this.undo.push(() => { folded.open = false; });
    }
  }

  lighten() {
    for (const part of document.querySelectorAll('.dpcore-card img[src^="data:image/svg"]')) {
      const before = part.src;
      part.src = before.replace(/%23([0-9a-f]{6})/gi, (one, hex) =>
        (this.colours[`#${hex.toUpperCase()}`] ?? `#${hex}`).replace("#", "%23"));
      this.undo.push(() => { part.src = before; });
    }
  }

  fit() {
    for (const figure of document.querySelectorAll(".dpcore-figure:has(.main-svg)")) {
      if (figure.offsetWidth <= PAPER) continue;
      globalThis.dpcorePlotly?.then((Plotly) => this.narrow(Plotly, figure));
    }
  }

  narrow(Plotly, figure) {
    Plotly.relayout(figure, { width: PAPER }).then(() => Plotly.redraw(figure));
    this.undo.push(() => Plotly.Plots.resize(figure));
  }
}

export default function ({ data }) {
  // The page changes, and with it the colours; printing is the browser's.
  globalThis.dpcorePrinting ??= new Printing();
  Object.assign(globalThis.dpcorePrinting, { colours: data.colours, ofRecords: data.of_records });
}
