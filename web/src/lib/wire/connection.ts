import { happenedAlready, mayBeRepeated, waitsAtMost } from "./again.ts";
import { backoff, LONGEST } from "./backoff.ts";
import type { FromClient } from "./from_client.ts";
import { Refused } from "./refused.ts";
import type { ToClient, Welcome } from "./to_client.ts";

/** The part of a WebSocket that is needed here; a test gives its own. */
export interface Wire {
  send(text: string): void;
  close(): void;
}

export interface WireEvents {
  opened(): void;
  message(text: string): void;
  closed(code: number): void;
}

export interface Surroundings {
  /**
   * The server does not know who we are: tell it, so that it does on the next connection. False if only a person can
   * say how to go on; then nothing is tried until `renew`.
   */
  introduce(): Promise<boolean>;
  /** Resolves when nobody is in the middle of changing who we are. */
  settled(): Promise<void>;
  connect(events: WireEvents): Wire;
  later(ms: number, call: () => void): () => void;
  random(): number;
  /** False if the browser itself says that there is no network; it tells when there is one again. */
  online(): boolean;
}

export interface Listener {
  status(status: Status): void;
  message(message: ToClient): void;
  /** What is to be followed again on a new connection. */
  follows(): FromClient[];
  /** That is asked for now, on this connection: what comes until the answer may be only a part of it. */
  following(message: FromClient): void;
  /** All of it has come; or the server will not let us follow that. */
  followed(message: FromClient, refused: Refused | null): void;
}

/** `away` means: known to be lost, coming back by itself. `shut`: it is for a person to say how to go on. */
export type Status = "connecting" | "open" | "away" | "shut" | "stopped";

export interface RequestOptions {
  /**
   * Asked after coming back, when all that was missed is known, and when a repetition is refused: whether this has
   * been done already.
   */
  isDone?: () => boolean;
}

interface Request {
  message: FromClient;
  options: RequestOptions;
  /** The connection on which it was sent, if it was. */
  sentIn: number | null;
  repeated: boolean;
  /** Means nothing on another connection. */
  fleeting: boolean;
  resolve(answer: ToClient): void;
  reject(error: Refused): void;
}

const SILENCE = 20_000;
const PATIENCE = 6_000;
const GREETING = 10_000;
const WHO_AM_I = 0;
/** The code with which the server closes connections of a session that is void. */
const LOGGED_OUT = 4001;

/**
 * The one connection to the hall. It comes back by itself; what was asked meanwhile is kept and sent once, and
 * what was sent but not answered is sent again only where that cannot do the same thing twice.
 */
export class Connection {
  #status: Status = "stopped";
  #wire: Wire | null = null;
  #life = 0;
  #attempt = 0;
  #nextId = 1;
  #requests = new Map<number, Request>();
  #greeted = false;
  #ready = false;
  #paused = false;
  #introducing = false;
  /** The session was void, and we have not been in since. */
  #expelled = false;
  #cancelTimer: () => void = () => undefined;
  #cancelWatchdog: () => void = () => undefined;

  constructor(
    private readonly around: Surroundings,
    private readonly listener: Listener,
  ) {}

  get status(): Status {
    return this.#status;
  }

  start(): void {
    if (this.#status !== "stopped") return;
    this.#attempt = 0;
    this.#become("connecting");
    this.#connect();
  }

  /** Who we are is about to change: until `resume`, nothing is said, so that nothing is said by the wrong person. */
  pause(): void {
    this.#paused = true;
  }

  /** It has changed, or it has not. */
  resume(changed: boolean): void {
    this.#paused = false;
    if (changed || this.#wire === null) this.renew();
    else if (this.#ready) this.#takeUp();
  }

  /** Come in once more, without a word about it: the server may know us as somebody else now. */
  renew(): void {
    // Whoever is being introduced comes in anew anyway.
    if (this.#status === "stopped" || this.#paused || this.#introducing) return;
    this.#drop();
    this.#attempt = 0;
    if (this.#status !== "away") this.#become("connecting");
    this.#connect();
  }

  /** The network is back, or somebody looks at the page again: do not wait any longer. */
  hurry(): void {
    if (this.#status === "away") {
      this.#cancelTimer();
      this.#attempt = 0;
      this.#connect();
    } else if (this.#status === "open") this.#probe();
  }

  /** The network is known to be gone. */
  lost(): void {
    if (this.#status === "open" || this.#status === "connecting") this.#comeBack();
  }

  request(message: FromClient, options: RequestOptions = {}): Promise<ToClient> {
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      const request = { message, options, sentIn: null, repeated: false, fleeting: false, resolve, reject };
      this.#requests.set(id, request);
      if (this.#ready && !this.#paused) this.#transmit(id, request);
      else this.#keepAWhile(id, request);
    });
  }

  #keepAWhile(id: number, request: Request): void {
    const most = waitsAtMost(request.message);
    if (most === null) return;
    this.around.later(most, () => {
      if (request.sentIn !== null || !this.#requests.delete(id)) return;
      request.reject(new Refused("not_sent", ""));
    });
  }

  /** Follow something from now on; without a connection, `Listener.follows` will name it on the next one. */
  follow(message: FromClient): void {
    if (this.#greeted) void this.#follow(message);
  }

  /** For what needs no answer and is pointless later. */
  tell(message: FromClient): void {
    if (this.#ready && !this.#paused) this.#send(message);
  }

  #become(status: Status): void {
    if (status === this.#status) return;
    this.#status = status;
    this.listener.status(status);
  }

  #connect(): void {
    if (this.#paused) return;
    const life = ++this.#life;
    const mine = (call: () => void) => () => {
      if (life === this.#life) call();
    };
    this.#cancelTimer = this.around.later(
      GREETING,
      mine(() => this.#comeBack()),
    );
    this.#wire = this.around.connect({
      // Whoever is known is welcomed before this is answered; a stranger's question is refused.
      opened: mine(() => this.#send({ type: "ping", id: WHO_AM_I })),
      message: (text) => {
        if (life === this.#life) this.#heard(JSON.parse(text) as ToClient);
      },
      closed: (code) => {
        if (life !== this.#life) return;
        if (code === LOGGED_OUT) this.#voided();
        else this.#comeBack();
      },
    });
  }

  async #introduce(): Promise<void> {
    this.#drop();
    const life = this.#life;
    this.#introducing = true;
    let known: boolean;
    try {
      known = await this.around.introduce();
    } catch {
      // Whoever introduces us has told what went wrong.
      if (life === this.#life) this.#comeBack();
      return;
    } finally {
      this.#introducing = false;
    }
    if (life !== this.#life) return;
    if (known) this.#connect();
    else this.#become("shut");
  }

  /**
   * The session with which this connection came in is void. That is no news if another tab has registered or changed
   * the password: then there is a new one, with which we come back at once and without a word.
   */
  #voided(): void {
    if (this.#expelled) {
      // Twice without having been in: not so fast.
      this.#comeBack();
      return;
    }
    this.#expelled = true;
    this.#drop();
    if (this.#paused) return;
    this.#become("connecting");
    const life = this.#life;
    void this.around.settled().then(() => {
      if (life === this.#life) this.#connect();
    });
  }

  #drop(): void {
    this.#life++;
    this.#cancelTimer();
    this.#cancelWatchdog();
    this.#wire?.close();
    this.#wire = null;
    this.#greeted = false;
    this.#ready = false;
    for (const [id, request] of [...this.#requests]) {
      if (request.fleeting) this.#requests.delete(id);
    }
  }

  #comeBack(): void {
    this.#drop();
    if (this.#paused) return;
    this.#become("away");
    const wait = this.around.online() ? backoff(this.#attempt++, this.around.random()) : LONGEST;
    this.#cancelTimer = this.around.later(wait, () => this.#connect());
  }

  #heard(message: ToClient): void {
    this.#watch();
    if (message.type === "welcome") {
      this.#welcomed(message);
      return;
    }
    if (message.type === "bye") {
      this.#comeBack();
      return;
    }
    if (message.type === "error" && message.code === "hello_first" && !this.#greeted) {
      void this.#introduce();
      return;
    }
    if (message.type === "error" && message.code === "logged_out" && message.id === undefined) {
      this.#voided();
      return;
    }
    const id = "id" in message ? message.id : undefined;
    const request = id === undefined ? undefined : this.#requests.get(id);
    if (id === undefined || request === undefined) {
      this.listener.message(message);
      return;
    }
    this.#requests.delete(id);
    if (message.type !== "error") {
      this.listener.message(message);
      request.resolve(message);
    } else if (request.repeated && isDone(request, message.code)) {
      request.resolve({ type: "ok", id });
    } else {
      request.reject(new Refused(message.code, message.message));
    }
  }

  #welcomed(welcome: Welcome): void {
    this.#cancelTimer();
    this.#attempt = 0;
    this.#greeted = true;
    this.listener.message(welcome);
    const life = this.#life;
    const follows = this.listener.follows().map((message) => this.#follow(message));
    // First everything that was missed, then everything that waited: what has been done meanwhile is not done again.
    void Promise.all(follows).then(() => {
      if (life === this.#life) this.#takeUp();
    });
  }

  #follow(message: FromClient): Promise<void> {
    return new Promise((resolve) => {
      const id = this.#nextId++;
      const answered = (refused: Refused | null) => {
        this.listener.followed(message, refused);
        resolve();
      };
      const request: Request = {
        message,
        options: {},
        sentIn: null,
        repeated: false,
        fleeting: true,
        resolve: () => answered(null),
        reject: answered,
      };
      this.#requests.set(id, request);
      this.listener.following(message);
      this.#transmit(id, request);
    });
  }

  #takeUp(): void {
    this.#ready = true;
    this.#expelled = false;
    const life = this.#life;
    this.#become("open");
    if (this.#paused || life !== this.#life) return;
    for (const [id, request] of [...this.#requests]) {
      if (request.fleeting || request.sentIn === this.#life) continue;
      if (request.sentIn === null) {
        this.#transmit(id, request);
      } else if (request.options.isDone?.() === true) {
        this.#requests.delete(id);
        request.resolve({ type: "ok", id });
      } else if (mayBeRepeated(request.message) || request.options.isDone !== undefined) {
        request.repeated = true;
        this.#transmit(id, request);
      } else {
        this.#requests.delete(id);
        request.reject(new Refused("connection_lost", ""));
      }
    }
  }

  #transmit(id: number, request: Request): void {
    request.sentIn = this.#life;
    this.#send({ ...request.message, id });
  }

  #send(message: object): void {
    this.#wire?.send(JSON.stringify(message));
  }

  /** Silence is tested; a test that gets no answer means that the connection is gone. */
  #watch(): void {
    this.#cancelWatchdog();
    this.#cancelWatchdog = this.around.later(SILENCE, () => this.#probe());
  }

  #probe(): void {
    this.#cancelWatchdog();
    this.#send({ type: "ping" });
    this.#cancelWatchdog = this.around.later(PATIENCE, () => this.#comeBack());
  }
}

/** Whether a refused repetition was done the first time: it may have reached the server after all we were told. */
function isDone({ message, options }: Request, code: string): boolean {
  return options.isDone === undefined ? happenedAlready(message, code) : options.isDone();
}
