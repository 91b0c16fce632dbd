import { beforeEach, describe, expect, it } from "vitest";

import { Choosing } from "../src/lib/board/choosing.svelte.ts";
import type { Way } from "../src/lib/board/picks.ts";

const way = (path: string): Way => ({ action: path, path: path.split(" ") });

/** Somebody in front of these actions, and what they have sent. */
class Player {
  ways: readonly Way[] | null = $state.raw([]);
  asks = false;
  sent: unknown[] = [];
  choosing = new Choosing({
    ways: () => this.ways,
    asks: (unsure) => unsure || this.asks,
    send: (action) => void this.sent.push(action),
  });

  constructor(...paths: string[]) {
    this.ways = paths.map(way);
  }

  picks(...picks: string[]): this {
    for (const pick of picks) this.choosing.pick(pick);
    return this;
  }

  get next(): string[] {
    return [...this.choosing.next];
  }
}

describe("an action of one pick", () => {
  it("is sent when it is picked", () => {
    const player = new Player("a", "b").picks("b");
    expect(player.sent).toEqual(["b"]);
    expect(player.next).toEqual([]);
    player.picks("a");
    expect(player.sent).toEqual(["b"]);
    player.choosing.settled();
    expect(player.next).toEqual(["a", "b"]);
  });

  it("is asked about first, if that was wished for, and one may change one's mind", () => {
    const player = new Player("a", "b");
    player.asks = true;
    player.picks("a");
    expect(player.choosing.pending).toBe("a");
    expect(player.next).toEqual(["a", "b"]);
    player.picks("b");
    expect(player.choosing.pending).toBe("b");
    player.choosing.undo();
    expect(player.choosing.pending).toBe(null);
    player.picks("a", "a");
    expect(player.sent).toEqual(["a"]);
  });

  it("is asked about if it may not be what was meant", () => {
    const player = new Player("a", "b");
    player.choosing.pick("a", true);
    expect(player.sent).toEqual([]);
    player.choosing.confirm();
    expect(player.sent).toEqual(["a"]);
  });

  it("means nothing if it is not among what may be done", () => {
    expect(new Player("a").picks("c").sent).toEqual([]);
    expect(new Player().picks("c").sent).toEqual([]);
  });
});

describe("an action that is a path of picks", () => {
  let player: Player;

  beforeEach(() => {
    player = new Player("e2 e3", "e2 e4", "d2 d4", "e7 e8 queen", "e7 e8 rook", "pass");
  });

  it("lights at each step what goes on from there", () => {
    expect(player.next).toEqual(["e2", "d2", "e7", "pass"]);
    expect([...player.choosing.completedBy]).toEqual([["pass", "pass"]]);
    player.picks("e2");
    expect(player.next).toEqual(["e3", "e4"]);
    expect(player.choosing.completedBy.get("e4")).toBe("e2 e4");
  });

  it("is sent with its last pick, and not before", () => {
    player.picks("e7", "e8");
    expect(player.sent).toEqual([]);
    expect(player.next).toEqual(["queen", "rook"]);
    player.picks("rook");
    expect(player.sent).toEqual(["e7 e8 rook"]);
  });

  it("is taken back pick by pick, by picking the same again or otherwise", () => {
    player.picks("e7", "e8", "e8");
    expect(player.choosing.picks).toEqual(["e7"]);
    player.choosing.undo();
    expect(player.choosing.picks).toEqual([]);
    player.picks("e7", "e8", "e7");
    expect(player.choosing.picks).toEqual([]);
    expect(player.sent).toEqual([]);
  });

  it("begins anew where something else is picked that it could have begun with", () => {
    player.picks("e2", "d2");
    expect(player.choosing.picks).toEqual(["d2"]);
    player.picks("d4");
    expect(player.sent).toEqual(["d2 d4"]);
  });

  it("stays where it is when something is picked that means nothing here", () => {
    player.picks("e2", "h5");
    expect(player.choosing.picks).toEqual(["e2"]);
  });

  it("keeps its picks when something happens meanwhile, as far as they still lead anywhere", () => {
    player.picks("e7", "e8");
    player.ways = ["e7 e8 queen", "d2 d4"].map(way);
    expect(player.choosing.picks).toEqual(["e7", "e8"]);
    player.ways = ["e7 d8"].map(way);
    expect(player.choosing.picks).toEqual(["e7"]);
  });

  it("keeps its picks while it is not known what may be done, but goes no further", () => {
    player.picks("e2");
    player.ways = null;
    expect(player.next).toEqual([]);
    player.picks("e4");
    expect(player.sent).toEqual([]);
    expect(player.choosing.picks).toEqual(["e2"]);
    player.ways = ["e2 e4"].map(way);
    player.picks("e4");
    expect(player.sent).toEqual(["e2 e4"]);
  });

  it("does not come back with the next turn once it was impossible", () => {
    player.picks("e2");
    player.ways = [];
    player.choosing.forgetImpossible();
    player.ways = ["e2 e4"].map(way);
    expect(player.choosing.picks).toEqual([]);
  });

  it("is not asked about any more when it has become impossible", () => {
    player.asks = true;
    player.picks("e2", "e4");
    expect(player.choosing.pending).toBe("e2 e4");
    player.ways = ["e2", "d2 d4"].map(way);
    expect(player.choosing.pending).toBe(null);
  });

  it("says from where a piece can be dragged to another square", () => {
    const square = (pick: string) => /^[a-h][1-8]$/.test(pick);
    expect([...player.choosing.followedBy(square)]).toEqual(["e2", "d2", "e7"]);
    player.picks("e7");
    expect([...player.choosing.followedBy(square)]).toEqual([]);
  });

  it("says what else there was to choose from", () => {
    player.picks("e7", "e8");
    expect(player.choosing.insteadOf(0)).toEqual(["e2", "d2", "e7", "pass"]);
    expect(player.choosing.insteadOf(1)).toEqual(["e8"]);
  });
});

describe("a path that is complete although one could go on", () => {
  it("is sent only when it is said that this is all", () => {
    const player = new Player("buy", "buy one", "buy one two").picks("buy");
    expect(player.sent).toEqual([]);
    expect(player.choosing.mayFinish).toBe(true);
    player.picks("one");
    player.choosing.finish();
    expect(player.sent).toEqual(["buy one"]);
  });

  it("may be gone on with while it is asked about", () => {
    const player = new Player("buy", "buy one");
    player.asks = true;
    player.picks("buy");
    player.choosing.finish();
    expect(player.choosing.pending).toBe("buy");
    expect(player.choosing.mayFinish).toBe(false);
    expect(player.next).toEqual(["one"]);
    player.picks("one");
    expect(player.choosing.pending).toBe("buy one");
  });

  it("is not sent because something after it was taken back", () => {
    const player = new Player("buy", "buy one two").picks("buy", "one", "one");
    expect(player.choosing.picks).toEqual(["buy"]);
    expect(player.sent).toEqual([]);
  });
});
