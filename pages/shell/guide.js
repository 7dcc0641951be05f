// The guided first visit, and what the browser has to put right on every page. Whoever has skipped
// or finished the guide never sees it again, unless they ask; only this browser remembers.

const KEPT = "dpcore-guide";
const BEGUN = "begun";
const DONE = "done";

// Without storage, as in some private windows, the guide lasts as long as the page.
const recall = () => {
  try { return localStorage.getItem(KEPT); } catch { return globalThis.dpcoreGuide ?? null; }
};
const keep = (value) => {
  globalThis.dpcoreGuide = value;
  try { localStorage.setItem(KEPT, value); } catch { /* remembered above */ }
};

const linkTo = (page) => [...document.querySelectorAll("[data-testid=stSidebarNavLink]")]
  .find((link) => new URL(link.href).pathname.endsWith(`/${page}`));

class Guide {
  constructor(card) {
    this.card = card;
    this.act = { skip: () => this.finish(), back: () => this.go(-1), next: () => this.go(1) };
    card.addEventListener("click", (event) => this.act[event.target.dataset.act]?.());
    card.addEventListener("keydown", (event) => event.key === "Escape" && this.finish());
    this.asked = (event) => event.target.closest?.("[data-guide]") && this.begin();
    document.addEventListener("click", this.asked);
    this.roles = new MutationObserver(() => nameLists());
    this.roles.observe(document.querySelector("[data-testid=stSidebar]") ?? document.body,
      { childList: true, subtree: true });
    nameLists();
  }

  take({ steps, page }) {
    Object.assign(this, { steps, page });
    const kept = recall();
    const wanted = kept === null ? page === "" : kept !== DONE;
    // The card speaks of the page it stands on; where no step leads, it waits for the next that has
    // one.
    this.at = steps.findIndex((step) => step.page === page);
    this.card.hidden = !wanted || this.at < 0;
    if (this.card.hidden) return;
    this.show();
    if (this.pointed !== page) this.point(page);
  }

  // What the words are about comes into sight, once the page has it.
  point(page) {
    this.pointed = page;
    clearInterval(this.waiting);
    let patience = 100;
    this.waiting = setInterval(() => {
      patience -= 1;
      const app = document.querySelector("[data-testid=stApp]").dataset.testScriptState;
      if (app !== "notRunning" && patience > 0) return;
      clearInterval(this.waiting);
      if (this.card.hidden) return;
      // On a narrow screen the card stands beneath.
      const block = matchMedia("(max-width: 767px)").matches ? "start" : "nearest";
      const { about } = this.steps[this.at];
      if (about) document.querySelector(`.stMain ${about}`)?.scrollIntoView({ block });
    }, 100);
  }

  begin() {
    this.at = 0;
    this.card.hidden = false;
    this.show();
    this.card.querySelector("[data-act=next]").focus();
  }

  show() {
    const step = this.steps[this.at];
    const last = this.at === this.steps.length - 1;
    const put = (name, text) => { this.card.querySelector(`.${name}`).textContent = text; };
    keep(BEGUN);
    put("place", `Step ${this.at + 1} of ${this.steps.length}`);
    put("title", step.title);
    put("words", step.words);
    put("next", last ? "Done" : `Next: ${this.steps[this.at + 1].name}`);
    this.card.querySelector("[data-act=back]").hidden = this.at === 0;
    this.card.querySelector("[data-act=skip]").hidden = last;
  }

  go(by) {
    this.at += by;
    if (this.at >= this.steps.length) return this.finish();
    this.show();
    return linkTo(this.steps[this.at].page)?.click();
  }

  finish() {
    keep(DONE);
    this.card.hidden = true;
  }

  leave() {
    document.removeEventListener("click", this.asked);
    this.roles.disconnect();
    clearInterval(this.waiting);
    this.card.remove();
  }
}

// The navigation is a list in a list without saying so: a screen reader would count one item.
const nameLists = () => {
  for (const list of document.querySelectorAll("[data-testid=stSidebarNavItems]")) {
    if (list.getAttribute("role") !== "group") list.setAttribute("role", "group");
    for (const item of list.querySelectorAll("li")) {
      if (item.parentElement.getAttribute("role") !== "list" && item.parentElement !== list) {
        item.parentElement.setAttribute("role", "list");
      }
    }
  }
};

const guides = new WeakMap();

export default function ({ data, parentElement }) {
  const place = parentElement.querySelector(".dpcore-guide-place");
  if (!guides.has(place)) {
    // Out of the sidebar, which moves away on a narrow screen and would take the card along.
    const card = place.querySelector(".dpcore-guide");
    document.querySelector("[data-testid=stApp]").append(card);
    guides.set(place, new Guide(card));
  }
  guides.get(place).take(data);
  return () => setTimeout(() => {
    if (place.isConnected) return;
    guides.get(place)?.leave();
    guides.delete(place);
  });
}
