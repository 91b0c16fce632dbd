import { api } from "../wire/api.ts";
import { Connection, type RequestOptions, type Status } from "../wire/connection.ts";
import type { FromClient } from "../wire/from_client.ts";
import type { Refused } from "../wire/refused.ts";
import { ServerTime } from "../wire/server_time.ts";
import type { Events, Opened, ToClient } from "../wire/to_client.ts";
import type { GameTraits } from "../wire/types.ts";
import { webSocket } from "../wire/web_socket.ts";
import { EachFrame } from "../each_frame.ts";
import { Lobby } from "./lobby.svelte.ts";
import { Me } from "./me.svelte.ts";
import { TableStore } from "./table_store.svelte.ts";

/** From one page to the next a table is not let go: its people would see us leave and come. */
const LINGER = 1500;

/** All of the server that this page knows: who I am, the lobby, the tables I look at. */
export class Hall {
  readonly me = new Me();
  readonly lobby = new Lobby();
  readonly time = new ServerTime();
  status: Status = $state("stopped");
  /** Whether there ever was a connection: before that, waiting is loading, not losing. */
  wasOpen = $state(false);
  games: GameTraits[] | null = $state.raw(null);

  #tables = new Map<string, TableStore>();
  #lobbyUsers = 0;
  /** Small pictures, of which there may be many, all change together. */
  #glances = new EachFrame<Events>((news) => this.#happened(news));
  #connection = new Connection(
    {
      introduce: () => this.me.introduce(),
      connect: webSocket,
      later: (ms, call) => {
        const timer = setTimeout(call, ms);
        return () => clearTimeout(timer);
      },
      random: Math.random,
      online: () => navigator.onLine,
    },
    {
      status: (status) => {
        this.status = status;
        if (status === "open") this.wasOpen = true;
        if (status !== "away") void this.#learnGames();
      },
      message: (message) => this.#heard(message),
      follows: () => this.#follows(),
      followRefused: (message, error) => this.#followRefused(message, error),
    },
  );

  start(): void {
    this.#connection.start();
    window.addEventListener("online", () => this.#connection.hurry());
    window.addEventListener("offline", () => this.#connection.lost());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.#connection.hurry();
    });
  }

  now(): number {
    return this.time.at(Date.now());
  }

  traits(game: string): GameTraits | undefined {
    return this.games?.find((traits) => traits.name === game);
  }

  async #learnGames(): Promise<void> {
    try {
      this.games ??= await api<GameTraits[]>("GET", "/api/games");
    } catch {
      // Asked again with the next connection; until then the page says that there is none.
    }
  }

  /** Become somebody else, or nobody: the connection is let go first, so that nothing is said by the wrong person. */
  async changeWhoIAm(change: () => Promise<void>): Promise<void> {
    this.#connection.stop();
    try {
      await change();
    } finally {
      this.#connection.start();
    }
  }

  // Asking

  async ask(message: FromClient, options?: RequestOptions): Promise<ToClient> {
    return this.#connection.request(message, options);
  }

  async open(message: FromClient & { type: "open" }): Promise<Opened> {
    return (await this.ask(message)) as Opened;
  }

  // Following

  followLobby(): () => void {
    if (this.#lobbyUsers++ === 0) this.#connection.follow({ type: "lobby", follow: true });
    return () => {
      if (--this.#lobbyUsers === 0) {
        this.lobby.known = false;
        this.#connection.tell({ type: "lobby", follow: false });
      }
    };
  }

  /** The table, followed until `release` is called. */
  followTable(id: string, wish: { history: boolean; key?: string }): TableStore {
    let store = this.#tables.get(id);
    if (store === undefined) {
      store = new TableStore(id);
      this.#tables.set(id, store);
    }
    const fresh = store.users++ === 0 && store.table === null;
    const came = wish.history && store.present++ === 0;
    const more = wish.history && !store.history;
    store.history ||= wish.history;
    store.key ??= wish.key;
    if (fresh || more || came) {
      if (more && store.table?.complete === false) store.table = null;
      this.#connection.follow(store.watch);
    }
    return store;
  }

  release(store: TableStore, wish: { history: boolean }): void {
    store.users--;
    if (wish.history) store.present--;
    setTimeout(() => {
      if (this.#tables.get(store.id) !== store) return;
      if (store.users > 0) {
        // A small picture of it stays, but nobody sits in front of it.
        if (wish.history && store.present === 0) this.#connection.follow(store.watch);
        return;
      }
      this.#tables.delete(store.id);
      this.#connection.tell({ type: "unwatch", table: store.id });
    }, LINGER);
  }

  #follows(): FromClient[] {
    const lobby: FromClient[] = this.#lobbyUsers > 0 ? [{ type: "lobby", follow: true }] : [];
    return [...lobby, ...[...this.#tables.values()].map((store) => store.watch)];
  }

  #followRefused(message: FromClient, error: Refused): void {
    if (message.type !== "watch") return;
    const store = this.#tables.get(message.table);
    if (store !== undefined) store.error = error;
  }

  /** Keep the list of unfinished games in which one has a seat. */
  #noteMine(store: TableStore | undefined): void {
    if (store === undefined || store.table === null) return;
    const mine = store.seat(this.me.id) !== null && store.table.phase !== "over";
    const listed = this.me.tables.includes(store.id);
    if (mine && !listed) this.me.tables = [...this.me.tables, store.id];
    if (!mine && listed) this.me.tables = this.me.tables.filter((id) => id !== store.id);
  }

  // Hearing

  #happened(news: Events): void {
    const store = this.#tables.get(news.table);
    if (store !== undefined && !store.happened(news)) this.#connection.follow(store.watch);
    this.#noteMine(store);
  }

  #heard(message: ToClient): void {
    if ("now" in message) this.time.heard(message.now, Date.now());
    switch (message.type) {
      case "welcome":
        this.me.welcomed(message);
        for (const store of this.#tables.values()) store.watchers = null;
        break;
      case "lobby":
        this.lobby.seen(message);
        break;
      case "lobby_changed":
        this.lobby.changed(message);
        break;
      case "table": {
        this.#glances.now();
        const store = this.#tables.get(message.table);
        if (store?.history === true && this.traits(message.game)?.hidden === true) {
          // Another seat is another view of the whole game, also of what is past.
          store.table = null;
          this.#connection.follow(store.watch);
        } else store?.pictured(message);
        this.#noteMine(store);
        break;
      }
      case "events":
        if (this.#tables.get(message.table)?.present === 0) this.#glances.add(message);
        else {
          this.#glances.now();
          this.#happened(message);
        }
        break;
      case "watchers": {
        const store = this.#tables.get(message.table);
        if (store !== undefined) store.watchers = message.count > 0 ? message : null;
        break;
      }
      case "moved": {
        const store = this.#tables.get(message.table);
        if (store !== undefined) store.movedTo = message.to;
        break;
      }
    }
  }
}

export const hall = new Hall();
