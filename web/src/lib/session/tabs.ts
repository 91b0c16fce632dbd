import { Claim, type Shared } from "./claim.ts";

const TRIAL = "gamut.trial";

/** What the tabs of this browser share; null where the browser keeps nothing for this page. */
export function sharedByTabs(): Shared | null {
  try {
    // Where the person allows no storage, asking for it throws; where there is no room, writing does.
    const storage = window.localStorage;
    storage.setItem(TRIAL, "");
    storage.removeItem(TRIAL);
    return {
      read: (key) => storage.getItem(key),
      write: (key, value) => (value === null ? storage.removeItem(key) : storage.setItem(key, value)),
      onChange: (key, call) => {
        const heard = (event: StorageEvent) => {
          // Without a key everything was cleared.
          if (event.key === key || event.key === null) call();
        };
        window.addEventListener("storage", heard);
        return () => window.removeEventListener("storage", heard);
      },
    };
  } catch {
    return null;
  }
}

/** The work is told whether another tab was at it until then. */
export type Alone = <Result>(work: (waited: boolean) => Promise<Result>) => Promise<Result>;

/** Does its work when no other tab of this browser does work under this name. */
export function aloneAmongTabs(name: string, shared: Shared | null): Alone {
  // Locks exist only where the page came over https or from this machine.
  const locks = navigator.locks as LockManager | undefined;
  if (locks !== undefined) {
    return async (work) => {
      const waited = await locks.request(name, { ifAvailable: true }, (lock) => lock === null);
      return await locks.request(name, () => work(waited));
    };
  }
  if (shared === null) return (work) => work(false);
  const claim = new Claim(name, shared, Math.random().toString(36).slice(2));
  return (work) => claim.hold(work);
}
