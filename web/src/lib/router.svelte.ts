/** Addresses and the browser's history. Ordinary links work: a click on one of our own does not load a page. */
class Router {
  #url: URL = $state.raw(new URL(location.href));

  get path(): string {
    return this.#url.pathname;
  }

  get query(): URLSearchParams {
    return this.#url.searchParams;
  }

  start(): void {
    window.addEventListener("popstate", () => (this.#url = new URL(location.href)));
    document.addEventListener("click", (event) => this.#clicked(event));
  }

  go(address: string, how: "push" | "replace" = "push"): void {
    const url = new URL(address, location.href);
    if (url.href === location.href) return;
    if (how === "push") history.pushState(null, "", url);
    else history.replaceState(null, "", url);
    const samePlace = url.pathname === this.#url.pathname;
    this.#url = url;
    if (how === "push" && !samePlace) scrollTo(0, 0);
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
