import { api } from "../wire/api.ts";
import type { Welcome } from "../wire/to_client.ts";
import type { Person } from "../wire/types.ts";
import { guestName } from "./guest_name.ts";

const MADE_AT = "gamut.guest";
/** So long another tab of this browser that has just become a guest is the same guest. */
const JUST_NOW = 5000;

/** Who is in front of this page. The session itself is in a cookie that the page cannot read. */
export class Me {
  id: string | undefined = $state();
  name = $state("");
  guest = $state(true);
  /** Unfinished games in which this person has a seat. */
  tables: string[] = $state.raw([]);

  welcomed(welcome: Welcome): void {
    this.id = welcome.person;
    this.name = welcome.name;
    this.guest = welcome.guest;
    this.tables = welcome.tables ?? [];
  }

  #introductions = 0;

  /** A guest under a friendly name from now on. */
  async introduce(): Promise<void> {
    await navigator.locks.request(MADE_AT, async () => {
      const another = Date.now() - Number(localStorage.getItem(MADE_AT)) < JUST_NOW;
      if (another && this.#introductions++ === 0) return;
      await this.#newGuest();
      localStorage.setItem(MADE_AT, String(Date.now()));
    });
  }

  async #newGuest(): Promise<void> {
    await api("POST", "/api/guest", { name: guestName(Math.random), numbered: true });
  }

  /** Another name for a guest; seats taken from now on bear it. */
  async rename(name: string): Promise<void> {
    const { person } = await api<{ person: Person }>("POST", "/api/guest", { name });
    this.name = person.name;
  }
}
