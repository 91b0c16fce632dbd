import type { ToWorker } from "../worker/messages.ts";

/** The service worker of this page (`src/worker`), and whether another version of the page is ready. */
class NewVersion {
  #ready = $state(false);
  #registration: ServiceWorkerRegistration | undefined;

  /** Another version can be had by loading the page anew. */
  get ready(): boolean {
    return this.#ready;
  }

  async start(): Promise<void> {
    // Plain http under a name that is not localhost has none.
    if (!("serviceWorker" in navigator)) return;
    try {
      await navigator.serviceWorker.register("/worker.js");
      this.#registration = await navigator.serviceWorker.getRegistration();
    } catch {
      // Some browsers forbid it, in private windows too: then the page needs a network, as any other.
      return;
    }
    const registration = this.#registration;
    if (registration === undefined) return;
    registration.addEventListener("updatefound", () => this.#comes(registration.installing));
    this.#comes(registration.installing ?? registration.waiting);
  }

  /** Whoever was cut off may come back to a server with another page. */
  look(): void {
    // If it cannot be asked, it is asked the next time.
    this.#registration?.update().catch(() => undefined);
  }

  later(): void {
    this.#ready = false;
  }

  /** Never by itself: somebody may be in the middle of a game. */
  reload(): void {
    // Pages come from the server, whichever worker is at work.
    location.reload();
  }

  #comes(worker: ServiceWorker | null): void {
    if (worker?.state === "installed") void this.#came(worker);
    else worker?.addEventListener("statechange", () => worker.state === "installed" && void this.#came(worker));
  }

  async #came(worker: ServiceWorker): Promise<void> {
    if (navigator.serviceWorker.controller === null) return;
    if (!(await isOurs(worker))) this.#ready = true;
  }
}

/** Whether this page is of the worker's version. */
function isOurs(worker: ServiceWorker): Promise<boolean> {
  const script = document.querySelector<HTMLScriptElement>("script[src]")?.src ?? location.href;
  const { port1, port2 } = new MessageChannel();
  return new Promise((answer) => {
    port1.onmessage = ({ data }) => answer(data === true);
    worker.postMessage({ type: "whose", script: new URL(script).pathname } satisfies ToWorker, [port2]);
  });
}

export const newVersion = new NewVersion();
