/** What the history notes of addresses at which somebody has been: a reload, or the way back, is no new arrival. */
const BEEN_THERE = { been: true };

const A_WHILE = 20_000;

/** Addresses and the browser's history. Ordinary links work: a click on one of our own does not load a page. */
class Router {
  #url: URL = $state.raw(new URL(location.href));
  /** Where somebody has come to from outside, by a link or by typing the address. */
  #arrival: string | null = null;

  get path(): string {
    return this.#url.pathname;
  }

  get query(): URLSearchParams {
    return this.#url.searchParams;
  }

  start(): void {
    if (history.state === null) {
      this.#arrival = location.pathname;
      history.replaceState(BEEN_THERE, "", location.href);
    }
    window.addEventListener("popstate", () => (this.#url = new URL(location.href)));
    document.addEventListener("click", (event) => this.#clicked(event));
  }

  /** Whether somebody has just come here from outside; true once. */
  takeArrival(): boolean {
    const arrival = this.#arrival;
    this.#arrival = null;
    return arrival === this.path;
  }

  go(address: string, how: "push" | "replace" = "push"): void {
    const url = new URL(address, location.href);
    if (url.href === location.href) return;
    if (how === "push") history.pushState(BEEN_THERE, "", url);
    else history.replaceState(BEEN_THERE, "", url);
    const samePlace = url.pathname === this.#url.pathname;
    this.#url = url;
    if (how === "push" && !samePlace) scrollTo(0, 0);
  }

  /**
   * For what takes a while: goes where it leads, if whoever asked is still here and the asking was not long ago. Nobody is
   * carried off by a click that they have forgotten.
   */
  fromHere(): (address: string) => void {
    const [url, asked] = [this.#url.pathname, Date.now()];
    return (address) => {
      if (this.#url.pathname === url && Date.now() - asked < A_WHILE) this.go(address);
    };
  }

  #clicked(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest("a");
    if (!(link instanceof HTMLAnchorElement)) return;
    if (link.target !== "" || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname.startsWith("/api/")) return;
    // Within a page the browser knows better: it moves the focus too.
    if (link.hash !== "" && link.pathname === location.pathname) return;
    event.preventDefault();
    this.go(link.href);
  }
}

export const router = new Router();
