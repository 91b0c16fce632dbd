import { texts } from "../../texts/index.ts";
import type { Session } from "../session/session.ts";
import { api } from "../wire/api.ts";
import type { Welcome } from "../wire/to_client.ts";
import type { Person } from "../wire/types.ts";
import { guestName } from "./guest_name.ts";
import { Unnamed } from "./unnamed.ts";

/** Only the person in front of the page can say how to go on from here. */
export class NeedsPerson extends Error {
  constructor(
    readonly why: "logged_out" | "not_kept",
    reason: string,
  ) {
    super(reason);
  }
}

/** Who is in front of this page. The session itself is in a cookie that the page cannot read. */
export class Me {
  id: string | undefined = $state();
  name = $state("");
  guest = $state(true);
  /** Unfinished games in which this person has a seat. */
  tables: string[] = $state.raw([]);
  /** Whether this page was let in as somebody, and has not let go of that. */
  #isSomebody = false;
  #made = false;
  readonly #unnamed = new Unnamed();

  /** Whether the page has found the name, and nobody has said another. */
  get isUnnamed(): boolean {
    return this.guest && this.#unnamed.is(this.id);
  }

  welcomed(welcome: Welcome): void {
    this.id = welcome.person;
    this.name = welcome.name;
    this.guest = welcome.guest;
    this.tables = welcome.tables ?? [];
    this.#isSomebody = true;
    this.#made = false;
  }

  /** From now on this page may come in as anybody. */
  forget(): void {
    this.#isSomebody = this.#made = false;
  }

  /** A guest under a friendly name from now on: the server did not know the session as it was in this version. */
  async introduce(session: Session, version: string | null): Promise<void> {
    // Somebody who sits at a table must not find themselves a stranger who looks on.
    if (this.#isSomebody) throw new NeedsPerson("logged_out", texts.connection.loggedOut);
    if (this.#made) throw new NeedsPerson("not_kept", texts.connection.notKept);
    await session.change(async (waited) => {
      // Another tab has come in since: look first whether we are known now, as the same person.
      if (waited || session.version !== version) return undefined;
      const { person } = await api<{ person: Person }>("POST", "/api/guest", {
        name: guestName(Math.random),
        numbered: true,
      });
      this.#made = true;
      this.#unnamed.note(person.id);
      return person.id;
    });
  }

  /** Another name for a guest, also in the seats that they have. */
  async rename(name: string): Promise<void> {
    const { person } = await api<{ person: Person }>("POST", "/api/guest", { name });
    this.name = person.name;
    this.#unnamed.note(null);
  }

  /** The name that somebody wants to go by, which may be the one they have. */
  async chooseName(name: string): Promise<void> {
    if (name === this.name) this.#unnamed.note(null);
    else await this.rename(name);
  }
}
