// Streamlit looks for its server beneath a page first (/roc/_stcore/health), twice in vain, unless it
// is told that the server is where the page is.
window.__streamlit = { BACKEND_BASE_URL: new URL(".", document.location.href).href };

// The number of this tab, by which a reload finds again what was open (pages/session/visit.py). A tab that is duplicated, opened
// again later or led here by a link is another one. The server takes it out of the address.
try {
  const PLACE = "dpcore-tab", MOST = 120_000;
  const [number, left] = JSON.parse(sessionStorage.getItem(PLACE) ?? "[]");
  const isReload = performance.getEntriesByType("navigation")[0]?.type === "reload";
  const made = () => [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const tab = (isReload && Date.now() - left < MOST && number) || made();
  const keep = () => sessionStorage.setItem(PLACE, JSON.stringify([tab, Date.now()]));
  keep();
  addEventListener("pagehide", keep);
  const address = new URL(location.href);
  address.searchParams.set("tab", tab);
  history.replaceState(history.state, "", address);
} catch {
  // Without a memory of its own a tab begins anew, as ever.
}
// Shows a page when all of it has arrived: in pieces, each would push away what is there.
{
  // Milliseconds after the name of the page. What computes for longer is shown in pieces, and so is
  // everything if this goes wrong.
  const PATIENCE = 4000;
  // The same for a page that never says its name, as when a method's file cannot be imported.
  const LAST_PATIENCE = 15000;
  const root = document.documentElement;
  const find = (what) => document.querySelector(`[data-testid=stMainBlockContainer] ${what}`);
  // The glossary stands at the foot of every page, and comes last. Figures have their place before
  // they are drawn.
  const hasFoot = () => Boolean(find(".st-key-glossary"));
  const isComplete = () => hasFoot() && !find("[data-testid=stSkeleton]");
  const hasFailed = () => Boolean(find("[data-testid=stException]"));

  let late = 0;
  const last = setTimeout(() => show(), LAST_PATIENCE);
  const show = () => {
    clearTimeout(late);
    clearTimeout(last);
    late = 0;
    delete root.dataset.dpcoreArriving;
  };

  let hadFoot = false;
  let waits = false;
  const look = () => {
    waits = false;
    // Streamlit takes a page down before it puts up another.
    if (hadFoot && !hasFoot()) root.dataset.dpcoreArriving = "next";
    hadFoot = hasFoot();
    if (root.dataset.dpcoreArriving === undefined) return;
    if (isComplete() || hasFailed()) show();
    else if (find("h1")) late ||= setTimeout(show, PATIENCE);
  };
  root.dataset.dpcoreArriving = "first";
  new MutationObserver(() => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(look);
  }).observe(root, { childList: true, subtree: true });
}
// What has been opened is said at the top, far above the button at the end of the form.
{
  let wasOpen = false;
  new MutationObserver(() => {
    const isOpen = document.querySelector(".st-key-opened") !== null;
    if (isOpen && !wasOpen) document.querySelector("[data-testid=stMain]").scrollTo(0, 0);
    wasOpen = isOpen;
  }).observe(document.documentElement, { childList: true, subtree: true });
}
// A choice belongs to the page that it is made on: Back leads to the page before, not through every
// step of a slider.
{
  const push = history.pushState;
  history.pushState = function pushState(kept, unused, address) {
    const samePage = new URL(address ?? "", location.href).pathname === location.pathname;
    (samePage ? history.replaceState : push).call(this, kept, unused, address);
  };
}
// Where the window is so narrow that the sidebar lies over the page, whoever follows a link in it wants
// to see where that leads.
document.addEventListener("click", (event) => {
  const page = document.querySelector("[data-testid=stMain]");
  if (!event.target.closest?.("[data-testid=stSidebarNavLink]") || page.getBoundingClientRect().left > 0) return;
  // Streamlit puts it away itself on a telephone; then there is no such button any more.
  setTimeout(() => document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click());
});
// Sections (`dpcoreFolded`, with their pages) that are folded until somebody opens them, or follows a link into them. What Streamlit
// keeps of a section is read before its sidebar is there; its headers hear a mouse only.
{
  const PLACE = "stSidebarSectionsState-";
  try {
    const known = JSON.parse(localStorage.getItem(PLACE) ?? "{}");
    const page = location.pathname.split("/").at(-1);
    for (const [section, pages] of Object.entries(dpcoreFolded)) {
      if (pages.includes(page)) known[section] = true;
      known[section] ??= false;
    }
    localStorage.setItem(PLACE, JSON.stringify(known));
  } catch {
    // Without a memory all of them are unfolded, as ever.
  }
  const headers = () => document.querySelectorAll("[data-testid=stNavSectionHeader]");
  const name = () => {
    for (const header of headers()) {
      const button = header.firstElementChild;
      // Unfolded, it stands in a list.
      const role = header.parentElement.role === "list" ? "listitem" : null;
      if (header.role !== role) header.role = role;
      button.role ??= "button";
      if (button.tabIndex < 0) button.tabIndex = 0;
      const open = String(header.nextElementSibling !== null);
      if (button.ariaExpanded !== open) button.ariaExpanded = open;
    }
  };
  new MutationObserver(name).observe(document.documentElement, { childList: true, subtree: true });
  document.addEventListener("keydown", (event) => {
    const header = event.target.closest?.("[data-testid=stNavSectionHeader]");
    if (!header || ![" ", "Enter"].includes(event.key)) return;
    event.preventDefault();
    header.click();
  });
}
