import { MediaQuery } from "svelte/reactivity";
import { innerHeight, innerWidth } from "svelte/reactivity/window";

import type { AtTable } from "./at_table.svelte.ts";

/** Pixels: windows that are lower have the list of moves among the tabs. */
const LISTED = 620;
const LISTED_WITH_MORE = 1040;
/** What a column for panels and the one of the table need, and what is around the board. */
const TWO_COLUMNS = 280 + 340 + 2 * 24;
const AROUND = { across: 2 * 24 + 22, down: 52 + 16 };
/** Beside a board in a low window that is narrower, three seats in a row would be cut. */
const NARROW = 780;

/** What is where on a table's page (`TableGrid.svelte`), as the window and the board's shape have it. */
export class TableLayout {
  readonly #beside = new MediaQuery(
    "((min-width: 760px) and (min-aspect-ratio: 4/5)) or ((min-width: 560px) and (max-height: 560px))",
    true,
  );
  readonly #low = new MediaQuery("(max-height: 560px)", false);
  readonly #broad = new MediaQuery("(min-width: 640px)", true);

  constructor(private readonly at: AtTable) {}

  /** The board is beside everything else; else that is above and below it. */
  readonly beside = $derived.by(() => this.#beside.current);
  /** A phone on its side, or a window that is enlarged: no room for the list of moves, and what is opened lies over the rest. */
  readonly flat = $derived.by(() => this.beside && this.#low.current);
  readonly wide = $derived.by(() => this.beside && !this.flat);
  /** A tablet on end: all seats are in one row. */
  readonly broad = $derived.by(() => !this.beside && this.#broad.current);
  /** There is room at each seat. */
  readonly roomy = $derived(this.wide || this.broad);

  readonly board = $derived.by(() => {
    const { game, state, side, viewer } = this.at;
    return game === null || state === null ? null : game.layout(state, side, viewer);
  });
  readonly aspect = $derived(this.board === null ? 1 : this.board.width / this.board.height);

  /** In turn order, beginning after one's own seat. */
  readonly others = $derived.by(() => {
    const { at } = this;
    const count = at.table?.seats.length ?? 0;
    const first = at.seat === null ? 0 : at.seat + 1;
    const all = Array.from({ length: at.seat === null ? count : count - 1 }, (_, step) => (first + step) % count);
    return all.filter((seat) => at.counts(seat) || at.leaver(seat) !== null);
  });
  /** How the others sit: in as many rows as they need, and in rows of the same length. */
  readonly rows = $derived.by(() => Math.max(1, Math.ceil(this.others.length / this.#seatsInRow())));
  readonly columns = $derived(Math.max(1, Math.ceil(this.others.length / this.rows)));

  /** A column for the game's panels, where the board leaves room for it. */
  readonly column = $derived.by(() => (this.wide && this.#panelsFit() ? this.at.panels.filter(({ tab }) => tab !== true) : []));
  readonly inTabs = $derived.by(() => this.at.panels.filter((panel) => !this.column.includes(panel)));
  /** The moves have a place of their own, unless there is something of the game's that is needed more. */
  readonly listed = $derived.by(
    () => this.wide && (innerHeight.current ?? 0) >= (this.inTabs.every(({ tab }) => tab) ? LISTED : LISTED_WITH_MORE),
  );

  readonly controlled = $derived.by(() => this.at.game?.Controls !== undefined || this.at.game?.controlLabel !== undefined);
  /** While a game is played, what it asks lies over the controls where there is no row for it. */
  readonly played = $derived.by(() => this.at.table?.phase === "playing" || this.at.table?.phase === "paused");

  /** From the window and the board alone: so that nothing that happens makes the board larger or smaller. */
  #panelsFit(): boolean {
    const [across, down] = [(innerWidth.current ?? 0) - AROUND.across, (innerHeight.current ?? 0) - AROUND.down];
    return across - down * this.aspect >= TWO_COLUMNS;
  }

  #seatsInRow(): number {
    if (this.wide) return this.others.length > 2 ? 2 : 1;
    if (this.broad) return 4;
    return this.flat && (innerWidth.current ?? 0) < NARROW ? 2 : 3;
  }
}
