import { gameView } from "../../games/index.ts";
import { Choosing } from "../../lib/board/choosing.svelte.ts";
import type { Way } from "../../lib/board/picks.ts";
import { Playback } from "../../lib/board/playback.svelte.ts";
import { download } from "../../lib/download.ts";
import { doing } from "../../lib/doing.ts";
import { hall } from "../../lib/hall/hall.svelte.ts";
import { actsOf, seatOf, type Table } from "../../lib/hall/table.ts";
import { takenBackTo } from "../../lib/hall/taking_back.ts";
import { firstTime } from "../../lib/first_time.svelte.ts";
import { fileOf, type GameFile } from "../../lib/hall/game_file.svelte.ts";
import { sitting } from "../../lib/hall/sitting.svelte.ts";
import type { TableStore } from "../../lib/hall/table_store.svelte.ts";
import { router } from "../../lib/router.svelte.ts";
import { settings } from "../../lib/settings.svelte.ts";
import { toasts } from "../../lib/toasts.svelte.ts";
import type { FromClient } from "../../lib/wire/from_client.ts";
import { Refused } from "../../lib/wire/refused.ts";
import type { Legal } from "../../lib/wire/to_client.ts";
import type { Room, Seat } from "../../lib/wire/types.ts";
import { texts } from "../../texts/index.ts";
import { Eyes } from "./eyes.svelte.ts";
import { isBarred } from "./removing.ts";
import { Review } from "./review.svelte.ts";

/** One person in front of one table: what they look at, and what they do there. */
export class AtTable {
  /** The position being looked at, or null for the newest. */
  looking: number | null = $state(null);
  /** Up to where the newest moves have been played in. */
  shown = $state(-1);
  /** How many positions have been seen: what followed from them has been told, and is not told again. */
  seen = $state(0);
  /** What may be done, as the server has told it; for games that do not know it by themselves. */
  #told: Legal | null = $state.raw(null);
  readonly choosing = new Choosing({
    ways: () => this.ways,
    asks: (unsure) => !this.reviewing && (unsure || settings.confirm),
    send: (action) => void (this.reviewing ? this.#try(action) : this.#send(action)),
  });
  /** Says of what was sent last whether it has happened; null when that has been answered. */
  #isDone: (() => boolean) | null = $state.raw(null);
  /** Whether it has happened, although the answer is not here yet. */
  readonly happened = $derived.by(() => this.#isDone?.() ?? false);
  /** How many moves are to stand, as was asked and is not answered yet. */
  #takingBack: number | null = null;
  /** How far the board was turned. */
  #turned = $state(0);

  constructor(
    readonly store: TableStore,
    /** The file that the game is out of, if it is not a table's. */
    readonly file: GameFile | null = null,
  ) {
    this.review = new Review(this);
  }

  readonly review: Review;
  readonly #eyes = new Eyes();

  /** How moves come onto the board. */
  readonly playback = new Playback();
  /** The table as it really is: what can be done depends on it, whatever is still to be seen. */
  readonly newest = $derived.by(() => this.store.table);
  /** Whether everything is on the board that has happened, so that nothing is told before it is seen. */
  readonly settled = $derived.by(() => {
    const { reached } = this.playback;
    if (reached === undefined || this.seen >= (this.newest?.positions.length ?? 0)) return true;
    return this.looking !== null || this.review.position !== null || reached === this.positions.at(-1)?.state;
  });
  /** The table as it is seen: who is to move, and who has won, is known once the board shows it. */
  readonly table: Table | null = $derived.by(() => {
    const { newest, game, settled } = this;
    if (settled || newest === null || game === null || (newest.phase !== "playing" && newest.phase !== "over")) return newest;
    const seen = this.playback.frame?.state ?? this.playback.reached;
    return { ...newest, phase: "playing", outcome: null, awaited: game.awaited(seen) };
  });
  /** The rules, once they are here, and what has happened is folded by them. */
  readonly game = $derived(this.newest === null || this.newest.unfolded ? null : gameView(this.newest.game));
  readonly traits = $derived(this.newest === null ? undefined : hall.traits(this.newest.game));
  readonly seat: Seat | null = $derived(this.newest === null ? null : seatOf(this.newest, hall.me.id));
  readonly isHost = $derived(this.table !== null && this.table.host !== null && this.table.host === hall.me.id);
  /** Through whose eyes a finished game is looked at, if not through one's own. */
  readonly eyes: Seat | null = $derived(this.#eyes.seat);
  /** With whose eyes the table is looked at. */
  readonly viewer: Seat | null = $derived(this.eyes ?? this.seat);
  /** The side from which the board is looked at. */
  readonly side = $derived(((this.game?.sideOf?.(this.viewer) ?? 0) + this.#turned) % (this.game?.sides ?? 1));
  readonly positions = $derived.by(() => {
    const all = this.#eyes.positions ?? this.newest?.positions ?? [];
    const { puzzle } = this.review;
    // What is still to be found is not shown.
    return puzzle?.solving === true ? all.slice(0, puzzle.reach + 1) : all;
  });
  readonly reviewing = $derived(this.table?.phase === "over" && this.positions.length > 0);
  readonly last = $derived(this.positions.length - 1);
  readonly index = $derived(Math.min(this.looking ?? this.shown, this.last));
  readonly position = $derived.by(() => this.review.position ?? this.positions[this.index] ?? null);
  readonly before = $derived.by(() =>
    this.review.position === null ? (this.positions[this.index - 1] ?? null) : this.review.before,
  );
  /** How the game stands: also before it goes on, if it was played before. */
  readonly known: unknown = $derived.by(
    () => this.#onTheWay ?? this.position?.state ?? (this.table === null ? null : (this.game?.resumed?.(this.table.decor) ?? null)),
  );
  /** In the middle of a move that is being shown: how things stand there. */
  readonly #onTheWay: unknown = $derived.by(() => this.playback.frame?.state ?? null);
  /** What is on the board: before the game its beginning, as the options have it. */
  readonly state: unknown = $derived.by(() => {
    if (this.table === null || this.game === null) return null;
    const { options, seats } = this.table;
    return this.position?.state ?? this.known ?? this.game.opening?.(options, seats.length) ?? this.game.start;
  });
  readonly playing = $derived(this.table?.phase === "playing" && this.table.waiting.length === 0);
  readonly myTurn = $derived(this.playing && this.seat !== null && this.table!.awaited.includes(this.seat));
  /** Whether it is this person's turn, also while the board still shows how it came to that. */
  readonly #mayAct = $derived.by(() => {
    const { newest, seat } = this;
    if (newest?.phase !== "playing" || newest.waiting.length > 0 || seat === null) return false;
    return newest.awaited.includes(seat);
  });
  /** Who moves on this board: in a review, whoever would be next. */
  readonly actor: Seat | null = $derived.by(() => (this.reviewing ? this.review.actor : this.seat));
  /** What may be done now, and by which picks; null while that is asked of the server. */
  readonly ways: readonly Way[] | null = $derived.by(() => {
    const { game, actor } = this;
    const position = this.reviewing ? this.position : (this.positions.at(-1) ?? null);
    if (game === null || position === null || actor === null) return [];
    return (
      this.#actions?.flatMap((action) => {
        const others = game.otherPaths?.(action, position.state, actor) ?? [];
        return [game.path(action, position.state, actor), ...others].map((path) => ({ action, path }));
      }) ?? null
    );
  });
  readonly #actions: readonly unknown[] | null = $derived.by(() => {
    if (this.reviewing) return this.review.actions;
    if (!this.#mayAct || this.looking !== null) return [];
    return this.game?.legal === undefined ? this.#toldActions : this.game.legal(this.positions.at(-1)?.state, this.seat!);
  });
  readonly #toldActions: readonly unknown[] | null = $derived.by(() => {
    const [told, table] = [this.#told, this.newest];
    if (told === null || table === null) return null;
    // What was true before the last move, or is true after one that is not here yet, is of no use.
    return told.seq >= table.lastPlay && told.seq <= table.seq ? told.actions : null;
  });

  name(seat: Seat): string {
    return this.table?.seats[seat]?.name ?? this.leaver(seat) ?? this.traits?.seat_names[seat] ?? "";
  }

  /** Who sat on a seat that is empty now, once the game had begun. */
  leaver(seat: Seat): string | null {
    return this.table?.leavers[seat] ?? null;
  }

  /** Whether the host has removed who sat there. */
  wasRemoved(seat: Seat): boolean {
    const stood = this.table?.log.findLast((event) => event.type === "stood" && event.seat === seat);
    return stood?.type === "stood" && (stood.why === "kicked" || stood.why === "removed");
  }

  /** The seat whose colour and sign a seat has. */
  colour(seat: Seat): Seat {
    const state = this.table?.positions.at(-1)?.state ?? this.known;
    return this.game?.colour?.(seat, this.table?.options ?? {}, state) ?? seat;
  }

  /** Each seat's team, where two or more play together. */
  readonly teams: ReadonlyMap<Seat, number> = $derived.by(() => {
    const { game, table } = this;
    const found = new Map<Seat, number>();
    if (game?.team === undefined || table === null) return found;
    const state = table.positions.at(-1)?.state ?? this.known;
    const all = table.seats.map((_, seat) => game.team!(seat, table.options, state));
    for (const [seat, team] of all.entries()) if (team !== null) found.set(seat, team);
    return new Set(found.values()).size < found.size ? found : new Map<Seat, number>();
  });

  /** In which place a seat came, where the game has places: those count teams where some play together. */
  place(seat: Seat): number | null {
    const places = this.table?.outcome?.places ?? null;
    if (places === null) return null;
    const better = places.flatMap((place, other) => (place < places[seat]! ? [this.teams.get(other) ?? other] : []));
    return new Set(better).size + 1;
  }

  /** Whether somebody plays together with whoever looks. */
  isPartner(seat: Seat): boolean {
    const mine = this.viewer === null || seat === this.viewer ? undefined : this.teams.get(this.viewer);
    return mine !== undefined && this.teams.get(seat) === mine;
  }

  /** Whether nobody can sit there any more: a seat without a part in the game. */
  counts(seat: Seat): boolean {
    if (this.table === null || this.table.seats[seat] !== null || this.known === null) return true;
    return this.game?.standing?.(this.known, seat).out !== true;
  }

  /** Free seats that somebody may take. */
  readonly free: Seat[] = $derived(
    (this.table?.seats ?? []).flatMap((holder, seat) => (holder === null && this.counts(seat) ? [seat] : [])),
  );
  /** Whether the viewer has no seat and may take one. */
  readonly maySit = $derived(this.newest !== null && this.seat === null && !isBarred(this.newest.log, hall.me.id));
  /** Whether there is somebody to be invited, and the viewer may do that. */
  readonly invites = $derived(
    this.table?.phase === "setup" && this.free.length > 0 && (this.seat !== null || this.isHost),
  );
  /** Whether the host may begin: everybody is there, or enough people for games that need not be full. */
  readonly mayStart = $derived.by(() => {
    if (this.table === null || this.table.phase !== "setup" || !this.isHost) return false;
    // Whoever asks for everybody's approval does not go without it.
    if (this.table.start === "approval") return false;
    const taken = this.table.seats.filter((holder) => holder !== null).length;
    return this.free.length === 0 || taken >= (this.traits?.fewest ?? Infinity);
  });

  /** Whether there is nobody to talk to, and nobody can come to a seat. */
  readonly alone = $derived.by(() => {
    const others = (this.table?.seats ?? []).filter((_, seat) => seat !== this.seat);
    return this.seat !== null && this.store.watchers === null && others.every((holder) => holder?.kind === "bot");
  });
  /** Whether whoever plays here does so for the first time. */
  readonly isNew = $derived.by(() => {
    const { table, seat, file } = this;
    return table !== null && seat !== null && file === null && table.outcome === null && firstTime.explains(table.game);
  });
  /** Whether they are told how the game goes, which is until they have made a move. */
  readonly explains = $derived(this.isNew && actsOf(this.newest!, this.seat!) === 0);
  /** What the game shows beside its board. */
  readonly panels = $derived(this.game?.panels ?? []);

  look(index: number): void {
    this.review.go(null);
    this.looking = index >= this.last ? null : Math.max(0, index);
  }

  /** Nothing more is to be seen on the way: the board shows what is newest. */
  catchUp(): void {
    this.shown = this.last;
    this.playback.finish();
  }

  turnBoard(): void {
    this.#turned += 1;
  }

  async lookThrough(seat: Seat | null): Promise<void> {
    this.review.go(null);
    if (this.table === null) return;
    // Of a file everything is known: one only looks from somebody's place.
    if (this.file !== null) this.#eyes.follow(seat);
    else await this.#eyes.look({ ...this.table, key: this.neededKey }, seat);
  }

  // Moves

  /** Whether the server must be asked what may be done; asked anew whenever the game has moved. */
  readonly needsTelling = $derived(this.#mayAct && this.game !== null && this.game.legal === undefined);

  async learnActions(): Promise<void> {
    await doing(async () => {
      this.#told = (await hall.ask({ type: "legal", table: this.store.id })) as Legal;
    });
  }

  /** In a review nothing is sent: the move makes a line of one's own. */
  async #try(action: unknown): Promise<void> {
    await this.review.play(action);
    this.choosing.settled();
  }

  async #send(action: unknown): Promise<void> {
    const { newest: table, seat } = this;
    if (table === null || seat === null) return;
    const before = actsOf(table, seat);
    // If the answer is lost, what has happened at the table says whether the action was done.
    const isDone = () => this.newest !== null && actsOf(this.newest, seat) > before;
    this.#isDone = isDone;
    try {
      await hall.ask({ type: "act", table: table.id, action, seen: table.seq }, { isDone });
    } catch (error) {
      if (error instanceof Refused && error.code === "stale") toasts.say(texts.table.overtaken, true);
      else toasts.explain(error);
    }
    if (this.#isDone === isDone) this.chooseAnew();
  }

  /** What was sent has been answered, or is seen to be done. */
  chooseAnew(): void {
    this.#isDone = null;
    this.choosing.settled();
  }

  // Everything else

  readonly do = (message: FromClient): Promise<boolean> => doing(() => hall.ask(message));

  /** One's own last move and all that bots have done since. Asked once: what stands then is part of the wish. */
  async takeBack(): Promise<void> {
    const { newest, seat } = this;
    const moves = newest === null || seat === null ? null : takenBackTo(newest, seat);
    if (newest === null || moves === null || this.#takingBack === moves) return;
    this.#takingBack = moves;
    this.looking = null;
    await this.do({ type: "take_back", table: newest.id, moves });
    this.#takingBack = null;
  }

  sit(seat: Seat): Promise<boolean> {
    const table = this.table;
    if (table === null) return Promise.resolve(false);
    return sitting.down(table, { seat, ...(this.key === null ? {} : { key: this.key }) });
  }

  /** The game goes with its host, as a file; the table is closed. */
  async export(): Promise<void> {
    if (!(await this.do({ type: "export", table: this.store.id })) || this.table === null) return;
    const file = fileOf({ ...this.table, outcome: null, closedWhy: "exported" });
    if (file !== null) download(file);
  }

  async callOff(): Promise<void> {
    const go = router.fromHere();
    if (await this.do({ type: "call_off", table: this.store.id })) go("/");
  }

  async leave(): Promise<void> {
    const go = router.fromHere();
    if (await this.do({ type: "leave", table: this.store.id })) go("/");
  }

  say(text: string, room: Room): Promise<boolean> {
    const id = this.store.id;
    const before = this.table?.talk.length ?? 0;
    const isDone = () =>
      this.table?.talk.slice(before).some((said) => said.person === hall.me.id && said.text === text) ?? false;
    return doing(() => hall.ask({ type: "say", table: id, text, room }, { isDone }));
  }

  /** What opens the table for others: known to those who sit here, and to those who came by a link. */
  get key(): string | null {
    return this.table?.key ?? this.store.key ?? null;
  }

  /** The same where nobody gets in without it. */
  get neededKey(): string | null {
    if (this.table === null) return null;
    const { private: hidden, locked, phase } = this.table;
    return hidden || (locked && phase !== "over") ? this.key : null;
  }
}
