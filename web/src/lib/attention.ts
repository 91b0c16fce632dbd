import { SIGNS } from "../games/signs.ts";
import { texts } from "../texts/index.ts";

/** Where the shapes of the word mark are in the icon. It is too small for more. */
const PLACES = ["2 2", "20 2", "2 20", "20 20", "11 11"];

/** The shape of the game in which it is your turn, large, among those of the others, which fade. */
export function icon(game: string): string {
  const shapes = SIGNS.flatMap(({ game: of, colour, shape }, index) => {
    const lit = of === game;
    const place = PLACES[index];
    if (lit) return [`<path fill="${colour}" opacity="1" transform="translate(1 1) scale(3)" d="${shape}"/>`];
    return place === undefined ? [] : [`<path fill="${colour}" opacity="0.2" transform="translate(${place})" d="${shape}"/>`];
  });
  return `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${shapes.join("")}</svg>`)}`;
}

interface Call {
  /** At how many tables it is this person's turn. */
  count: number;
  /** The first of them. */
  game: string;
}

/** What the browser's tab says: where one is; and, from wherever that is, that it is one's turn at other tables. */
class BrowserTab {
  #place = "";
  /** The game at the place itself, if it is this person's turn there. */
  #turn: string | null = null;
  #elsewhere: Call | null = null;

  at(place: string, turn: string | null): void {
    [this.#place, this.#turn] = [place, turn];
    this.#write();
  }

  call(elsewhere: Call | null): void {
    this.#elsewhere = elsewhere;
    this.#write();
  }

  #write(): void {
    const call = this.#turn === null ? this.#elsewhere : null;
    const title = this.#place === "" ? texts.title : `${this.#place} · ${texts.title}`;
    const game = call?.game ?? this.#turn;
    document.title = call === null ? title : texts.nav.turnsElsewhere(call.count, title);
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (link !== null) link.href = game === null ? "/favicon.svg" : icon(game);
  }
}

const tab = new BrowserTab();

/** The title and the icon of the page; `game` is given when it is this person's turn there. */
export function show(title: string, game: string | null = null): void {
  tab.at(title, game);
}

/** Wherever one looks: it is this person's turn at a table that is not being looked at, or at none. */
export function callToTurn(call: Call | null): void {
  tab.call(call);
}

/** The title of a page while it is shown. */
export function titled(title: string): () => void {
  show(title);
  return () => show("");
}
