import type { Shared } from "./claim.ts";
import type { Alone } from "./tabs.ts";

const CHANGED = "gamut.session";

/** Whose the session is now; null after logging out. */
export type Owner = string | null;

/**
 * The session is a cookie that all tabs of this browser share and that none of them can read. One tab at a time changes
 * it, and tells the others whose it is now.
 */
export class Session {
  constructor(
    private readonly alone: Alone,
    private readonly shared: Shared | null,
  ) {}

  /** The work hears whether another tab was at it, and says whose the session is now; undefined if it is as it was. */
  change(work: (waited: boolean) => Promise<Owner | undefined>): Promise<Owner | undefined> {
    return this.alone(async (waited) => {
      const owner = await work(waited);
      if (owner !== undefined) this.shared?.write(CHANGED, JSON.stringify({ at: Date.now(), owner }));
      return owner;
    });
  }

  /** Resolves when no tab is changing it. */
  async settled(): Promise<void> {
    await this.alone(() => Promise.resolve());
  }

  /** Another one after each change. */
  get version(): string | null {
    return this.shared?.read(CHANGED) ?? null;
  }

  /** Calls when another tab has changed it. */
  onChange(call: (owner: Owner) => void): void {
    this.shared?.onChange(CHANGED, () => {
      // Whoever cleared what this browser keeps has cleared the cookie, or has changed nothing.
      if (this.version !== null) call((JSON.parse(this.version) as { owner: Owner }).owner);
    });
  }
}
