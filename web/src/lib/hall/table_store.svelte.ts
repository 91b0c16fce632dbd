import { gameView } from "../../games/index.ts";
import type { FromClient } from "../wire/from_client.ts";
import type { Refused } from "../wire/refused.ts";
import type { Events, TablePicture, Watchers } from "../wire/to_client.ts";
import { Folding, SLICE } from "./folding.ts";
import { fromPicture, isPlay, seatOf, told, type Table } from "./table.ts";

/** One table that the page follows. */
export class TableStore {
  #told: Table | null = $state.raw(null);
  error: Refused | null = $state.raw(null);
  /** Who looks on; null while nobody does. */
  watchers: Watchers | null = $state.raw(null);
  /** Where the people of this table went on playing, once we were taken along. */
  movedTo: string | null = $state(null);
  key: string | undefined;
  /** Where those who watch must know it; said again on every connection. */
  password: string | undefined;
  /** How many parts of the page show this table, and how many of them as a person at it. */
  users = 0;
  present = 0;
  /** Whether its whole history is wanted, or only how it stands. */
  history = false;
  /** Whether the server has been asked for it on any connection, and has not taken us on to another one since. */
  followed = false;

  constructor(readonly id: string) {}

  /** What was told already while the rest is on its way: shown with it, so that no old event looks like news. */
  #coming: Table | null = null;
  /** How many times moves have been folded while something else was shown. */
  #folds = $state(0);
  readonly #folding = new Folding(() => this.#folds++);
  /** What was on the page before what is being folded. */
  #before: Table | null = null;
  /** How many times the table was asked for and has not come whole yet. */
  #asked = 0;
  /** What is on the page stays there until the whole of it has come again. */
  #outdated = false;
  /** Up to where things were told that do not follow on what is here yet. */
  #ahead = 0;

  /** What was told, with all its positions; while they are folded, what was here before, or what was told without them. */
  get table(): Table | null {
    const told = this.#told;
    const game = told?.unfolded === true ? gameView(told.game) : null;
    if (told === null || game === null) return told;
    void this.#folds;
    return this.#folding.of(told, game) ?? this.#before ?? told;
  }

  /** What was told, whether or not it is on the page already. */
  get told(): Table | null {
    return this.#told;
  }

  /** What to say in order to follow it, from where we are. */
  get watch(): FromClient {
    const key = this.key === undefined ? {} : { key: this.key };
    const password = this.password === undefined ? {} : { password: this.password };
    const glance = this.present === 0 ? { glance: true } : {};
    return { type: "watch", table: this.id, ...this.#since, ...key, ...password, ...glance };
  }

  get #known(): Table | null {
    if (this.#coming !== null) return this.#coming;
    if (this.#outdated || this.#told === null) return null;
    return this.#folding.done(this.#told) ?? this.#told;
  }

  get #since(): { since?: number; stamp?: number } {
    const known = this.#known;
    if (known !== null && (known.complete || !this.history)) return { since: known.seq, stamp: known.stamp };
    return this.history ? { since: 0 } : {};
  }

  asked(): void {
    this.followed = true;
    this.#asked++;
  }

  /** False if something is missing now that everything should be here. */
  answered(): boolean {
    this.#asked = Math.max(0, this.#asked - 1);
    if (this.#asked > 0) return true;
    if (this.#coming !== null) this.#show(this.#coming);
    this.#coming = null;
    const ahead = this.#ahead;
    this.#ahead = 0;
    return ahead <= (this.#told?.seq ?? 0);
  }

  /** On another connection nothing has been asked yet; what came so far is kept, and goes on from there. */
  unasked(): void {
    this.#asked = this.#ahead = 0;
  }

  startOver(): void {
    this.#told = this.#before = null;
    this.#coming = null;
    this.#outdated = false;
  }

  /** Everything is to be told once more, as it is to be seen now. */
  learnAnew(): void {
    this.#coming = null;
    this.#outdated = true;
  }

  #learned(table: Table): void {
    if (this.#asked > 0) this.#coming = table;
    else this.#show(table);
  }

  #show(table: Table): void {
    const before = this.table;
    if (before?.unfolded === false) this.#before = before;
    this.#told = table;
    this.#outdated = false;
  }

  /** False if the server knows another past than we do: its disk lost what we were told, and we begin anew. */
  pictured(picture: TablePicture): boolean {
    this.error = null;
    const known = this.#known;
    if (known?.complete === true && known.seq === picture.seq && known.stamp === picture.stamp) {
      // The history is here already; the picture only says what the log does not.
      this.#learned({ ...known, key: picture.key ?? known.key });
    } else if (!this.history || known === null) {
      this.#learned(fromPicture(picture));
    } else if (known.complete) {
      this.startOver();
      return false;
    }
    return true;
  }

  /** False if something in between is missing, and must be asked for. */
  happened(news: Events): boolean {
    this.error = null;
    // A long history is folded when it is here; what happens at a table that is on the page is seen at once.
    const long = news.after === 0 && news.events.filter(isPlay).length > SLICE;
    const next = told(this.#known, news, long ? () => null : gameView);
    if (next !== null) this.#learned(next);
    else if (this.#asked > 0) this.#ahead = Math.max(this.#ahead, news.seq);
    else return false;
    return true;
  }

  seat(person: string | undefined): number | null {
    return this.#told === null ? null : seatOf(this.#told, person);
  }
}
