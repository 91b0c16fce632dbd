import { api } from "../wire/api.ts";
import { Connection, type RequestOptions, type Status } from "../wire/connection.ts";
import type { FromClient } from "../wire/from_client.ts";
import { Refused } from "../wire/refused.ts";
import { ServerTime } from "../wire/server_time.ts";
import type { Events, Opened, ToClient } from "../wire/to_client.ts";
import type { GameTraits, Person } from "../wire/types.ts";
import { webSocket } from "../wire/web_socket.ts";
import { EachFrame } from "../each_frame.ts";
import { Session, type Owner } from "../session/session.ts";
import { aloneAmongTabs, sharedByTabs } from "../session/tabs.ts";
import { Lobby } from "./lobby.svelte.ts";
import { Me, NeedsPerson } from "./me.svelte.ts";
import { inOurWords } from "./our_words.ts";
import { TableStore } from "./table_store.svelte.ts";

/** From one page to the next a table is not let go: its people would see us leave and come. */
const LINGER = 1500;
/** For so long something waits for the page to come in. */
const PATIENCE = 15_000;

/** All of the server that this page knows: who I am, the lobby, the tables I look at. */
export class Hall {
  readonly me = new Me();
  readonly lobby = new Lobby();
  readonly time = new ServerTime();
  status: Status = $state("stopped");
  /** Whether there ever was a connection: before that, waiting is loading, not losing. */
  wasOpen = $state(false);
  games: GameTraits[] | null = $state.raw(null);
  /** What keeps this page from coming in. */
  trouble: unknown = $state.raw(null);

  #session: Session;
  /** As it was when we last came to the door. */
  #version: string | null = null;
  /** Whose the session is, as another tab has told while we were coming in. */
  #owner: Owner | undefined;
  #tables = new Map<string, TableStore>();
  #lobbyUsers = 0;
  /** What waits until this page has come in. */
  #waiting = new Set<() => void>();
  /** Small pictures, of which there may be many, all change together. */
  #glances = new EachFrame<Events>((news) => this.#happened(news));
  #connection = new Connection(
    {
      introduce: () => this.#introduce(),
      settled: () => this.#session.settled(),
      connect: (events) => {
        this.#version = this.#session.version;
        return webSocket(events);
      },
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
        if (status === "open") this.#wentIn();
        if (status === "connecting" || status === "open") void this.#learnGames();
      },
      message: (message) => this.#heard(message),
      follows: () => this.#follows(),
      following: (message) => this.#followed(message)?.asked(),
      followed: (message, refused) => this.#answered(message, refused),
    },
  );

  constructor() {
    const shared = sharedByTabs();
    this.#session = new Session(aloneAmongTabs("gamut.session.claim", shared), shared);
  }

  start(): void {
    this.#connection.start();
    this.#session.onChange((owner) => {
      if (owner === null) this.me.forget();
      this.#owner = owner;
      if (this.status === "open" || this.status === "shut") this.#beOwner();
    });
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
      this.games ??= (await api<GameTraits[]>("GET", "/api/games")).map(inOurWords);
    } catch (error) {
      // Asked again with the next connection; until there is one, that is what the page tells.
      if (this.status === "open") this.#failed(error);
    }
  }

  // Who is here

  #wentIn(): void {
    this.wasOpen = true;
    for (const come of this.#waiting) come();
    this.#waiting.clear();
    this.#beOwner();
  }

  /** Another tab has changed who is in front of this browser: be the same person here. */
  #beOwner(): void {
    const owner = this.#owner;
    this.#owner = undefined;
    if (owner !== undefined && owner !== this.me.id) this.#connection.renew();
  }

  async #introduce(): Promise<boolean> {
    try {
      await this.me.introduce(this.#session, this.#version);
      return true;
    } catch (error) {
      this.#failed(error);
      if (error instanceof NeedsPerson) return false;
      throw error;
    }
  }

  /** Become somebody else, or nobody. What is asked meanwhile waits, so that nothing is said by the wrong person. */
  async changeWhoIAm(change: () => Promise<{ person?: Person }>): Promise<void> {
    this.#connection.pause();
    let changed = true;
    try {
      const owner = await this.#session.change(async () => (await change()).person?.id ?? null);
      if (owner === null) this.me.forget();
    } catch (error) {
      // Without an answer it may have happened.
      changed = !(error instanceof Refused);
      throw error;
    } finally {
      this.#connection.resume(changed);
    }
  }

  /** Resolves when this page has come in, which may be now; what is asked over HTTP needs that too. Rejects after a while. */
  isIn(): Promise<void> {
    if (this.status === "open") return Promise.resolve();
    return new Promise((resolve, reject) => {
      const come = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(come);
        reject(new Refused("not_sent", ""));
      }, PATIENCE);
      this.#waiting.add(come);
    });
  }

  /** Do not wait for the next attempt to reach the server. */
  tryNow(): void {
    this.#connection.hurry();
  }

  /** Try once more to come in; whoever was logged out comes as a guest. */
  tryAgain(): void {
    this.trouble = null;
    this.me.forget();
    this.#connection.renew();
    void this.#learnGames();
  }

  #failed(error: unknown): void {
    console.error("Coming in failed:", error);
    this.trouble = error;
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
        this.lobby.left();
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
    const fresh = store.users++ === 0 && store.told === null;
    const came = wish.history && store.present++ === 0;
    const more = wish.history && !store.history;
    store.history ||= wish.history;
    store.key ??= wish.key;
    if (fresh || more || came) {
      if (more && store.told?.complete === false) store.startOver();
      this.#connection.follow(store.watch);
    }
    return store;
  }

  /** Once more, with the password that watching wants. */
  followWith(store: TableStore, password: string): void {
    store.password = password;
    this.#connection.follow(store.watch);
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
      if (store.followed) this.#connection.tell({ type: "unwatch", table: store.id });
    }, LINGER);
  }

  #follows(): FromClient[] {
    const lobby: FromClient[] = this.#lobbyUsers > 0 ? [{ type: "lobby", follow: true }] : [];
    return [...lobby, ...[...this.#tables.values()].map((store) => store.watch)];
  }

  #followed(message: FromClient): TableStore | undefined {
    return message.type === "watch" ? this.#tables.get(message.table) : undefined;
  }

  #answered(message: FromClient, refused: Refused | null): void {
    this.#glances.now();
    const store = this.#followed(message);
    const whole = store?.answered() ?? true;
    if (store !== undefined && refused !== null) {
      store.error = refused;
      // It would be wrong, and counted, on the next connection as well.
      if (refused.code === "wrong_password") store.password = undefined;
    }
    else if (store !== undefined && !whole) this.#connection.follow(store.watch);
    this.#noteMine(store);
    if (message.type !== "lobby") return;
    if (refused !== null) this.#failed(refused);
    else if (this.#lobbyUsers > 0) this.lobby.answered();
  }

  /** Keep the list of unfinished games in which one has a seat. */
  #noteMine(store: TableStore | undefined): void {
    if (store === undefined || store.told === null) return;
    const mine = store.seat(this.me.id) !== null && store.told.phase !== "over";
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
        this.trouble = null;
        this.me.welcomed(message);
        for (const store of this.#tables.values()) {
          store.watchers = null;
          store.unasked();
        }
        break;
      case "renamed":
        this.me.name = message.name;
        break;
      case "error":
        // Answers go to whoever asked; this one is nobody's.
        console.error("The server says:", message.code, message.message);
        break;
      case "lobby":
        this.lobby.pictured(message);
        break;
      case "lobby_changed":
        this.lobby.changed(message);
        break;
      case "table": {
        this.#glances.now();
        const store = this.#tables.get(message.table);
        if (store?.history === true && message.anew === true) {
          // Another seat is another view of the whole game, also of what is past.
          store.learnAnew();
          this.#connection.follow(store.watch);
        } else if (store?.pictured(message) === false) this.#connection.follow(store.watch);
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
      case "continued": {
        const store = this.#tables.get(message.table);
        if (store === undefined) break;
        store.movedTo = message.to;
        store.followed = false;
        break;
      }
    }
  }
}

export const hall = new Hall();
