import { list, number, plural } from "../../texts/grammar.ts";
import { faceWords } from "./face_texts.ts";
import { FORMS, LONELY, MERGES, NEIGHBOUR, NEVER, NOT_NOW } from "./kinds.ts";
import { chainOf, CHAINS, isChain, MOST_SHARES } from "./plan.ts";
import type { AwaitedName } from "./rules.ts";

/** Money is counted in hundreds. */
const money = (hundreds: number): string => `$${number(hundreds * 100)}`;
const shares = (count: number, chain: string): string => `${count} ${chain}`;
const chainName = (chain: number): string => CHAINS[chain] ?? "";

const SHORT: Record<string, string> = {
  [LONELY]: "alone",
  [NEIGHBOUR]: "pair",
  [FORMS]: "new",
  [MERGES]: "merger",
  [NOT_NOW]: "not now",
  [NEVER]: "dead",
};

/** The words of Acquire, in English. */
export const words = {
  money,
  chainName,
  board: "Acquire, a city of 12 by 9 lots",
  tileInRack: (tile: string) => `Your tile ${tile}`,
  empty: "empty",
  house: "a tile without a chain",
  aside: "laid aside, nothing is ever built here",
  chain: (chain: number, size: number, safe: boolean) => `${chainName(chain)}, ${size} tiles${safe ? ", safe" : ""}`,
  heldBy: (what: string, name: string) => `${what}, ${name} holds this tile`,
  yours: (does: string) => `empty, you hold this tile: ${does}`,

  /** On a tile of the rack. */
  short: (does: string) => (isChain(does) ? chainName(chainOf(does)) : (SHORT[does] ?? "")),
  /** What a tile would do, in full. */
  does: (does: string, touched: readonly number[], survivors: readonly number[]): string => {
    const names = list(touched.map(chainName));
    if (isChain(does)) return `extends ${chainName(chainOf(does))}`;
    switch (does) {
      case LONELY:
        return "touches nothing";
      case NEIGHBOUR:
        return "touches nothing but another tile of yours";
      case FORMS:
        return "founds a new chain";
      case MERGES:
        return survivors.length > 1
          ? `merges ${names}, and you choose which survives`
          : `merges ${names}, and ${chainName(survivors[0]!)} survives`;
      case NOT_NOW:
        return "cannot be played now: all seven chains are on the board";
      default:
        return `can never be played: ${names} are safe`;
    }
  },
  priced: (chain: number, price: number, left: number) =>
    `${chainName(chain)} costs ${money(price)} a share; ${left} of 25 are left.`,

  /** The figure at a seat: cash, shares and bonuses together. */
  standing: { title: "worth", forfeited: "forfeited" },
  worth: (worth: number) => `worth ${money(worth)}`,

  questions: {
    leave: "Leave the game? That forfeits it: the server acts for you from now on, and your score counts as it is then.",
    resign: "Resign? The server acts for you from now on, and your score counts as it is then.",
  },

  asks: {
    PlayTile: "Play a tile of your rack.",
    SelectNewChain: "Which chain do you found?",
    SelectMergerSurvivor: "They are equally large. Which one survives?",
    SelectChainToDisposeOfNext: "Which swallowed chain comes next?",
    DisposeOfShares: null,
    PurchaseShares: `Buy up to ${MOST_SHARES} shares`,
    GameOver: null,
  } satisfies Record<AwaitedName, string | null> as Record<AwaitedName, string | null>,
  /** What somebody else is at; the chain is the one whose shares they dispose of. */
  waits: {
    PlayTile: (name) => `${name} plays a tile.`,
    SelectNewChain: (name) => `${name} chooses a new chain.`,
    SelectMergerSurvivor: (name) => `${name} chooses which chain survives.`,
    SelectChainToDisposeOfNext: (name) => `${name} chooses which swallowed chain comes next.`,
    DisposeOfShares: (name, chain) => `${name} trades, sells or keeps shares of ${chain}.`,
    PurchaseShares: (name) => `${name} buys shares.`,
    GameOver: () => "",
  } satisfies Record<AwaitedName, (name: string, chain: string) => string> as Record<AwaitedName, (name: string, chain: string) => string>,

  buying: {
    stock: (left: number) => `(${left} left)`,
    drop: (chain: string) => `Put one share of ${chain} back`,
    basket: "Shares to buy",
    left: (cash: number) => `${money(cash)} left`,
    buy: (chains: string, cost: number) => `Buy ${chains} for ${money(cost)}`,
    skip: "Skip",
    andEnd: (what: string) => `${what} and end the game`,
    end: "End the game",
  },
  disposing: {
    title: (defunct: string, survivor: string, held: number, price: number) =>
      `${survivor} has swallowed ${defunct}. You hold ${held} at ${money(price)}.`,
    trade: "Trade",
    tradeHint: (survivor: string) => `2 for 1 ${survivor}`,
    sell: "Sell",
    sellHint: (price: number) => `${money(price)} each`,
    less: (what: string) => `${what} less`,
    more: (what: string) => `${what} more`,
    all: (defunct: string) => `Keep all ${defunct}`,
    do: (trade: number, survivor: string, sell: number, got: number, keep: number) => {
      const parts = [
        ...(trade > 0 ? [`trade ${trade} for ${trade / 2} ${survivor}`] : []),
        ...(sell > 0 ? [`sell ${sell} for ${money(got)}`] : []),
        ...(keep > 0 ? [`keep ${keep}`] : []),
      ].join(", ");
      return parts.charAt(0).toUpperCase() + parts.slice(1);
    },
    after: (survivor: string, count: number, cash: number) => `Then: ${count} ${survivor}, ${money(cash)}`,
  },

  sheet: {
    title: "Score",
    chains: "Shares of each chain",
    chain: "Chain",
    size: "Size",
    price: "Price",
    left: "Left",
    players: "What everybody has",
    player: "Player",
    cash: "Cash",
    worth: "Worth",
    tiles: "Tiles",
    most: "majority",
    second: "minority",
    safe: "safe",
    bag: (count: number) => `${plural(count, "tile", "tiles")} in the bag`,
    team: (letter: string) => `Team ${letter}`,
    bonuses: "Bonuses, if bought out now",
    paid: "Bonuses at the end",
    noBonuses: "No chain is on the board yet.",
    nobody: (first: number, second: number) => `nobody (${money(first)} and ${money(second)})`,
  },
  look: {
    title: "How the city looks",
    labels: "On the roofs",
    labelChoices: { coordinates: "Coordinates", initials: "Initials" },
    colours: "Colours",
    colourChoices: { usual: "Usual", distinct: "Colour-blind" },
  },
  form: {
    ok: "OK",
    presets: { four: "For four", two: "For two", teams: "Two against two", quick: "By the clock" },
    mode: "Mode",
    modes: faceWords.mode,
    order: "Order of play",
    orders: { random: "By chance", exact: "In seat order", teams: "Teams as seated" } as Record<string, string>,
    orderHints: {
      random: "Who plays first, and after whom, is drawn when the game begins.",
      exact: "Everybody plays in the order of the seats.",
      teams: "Partners stay partners; the order of play is drawn when the game begins.",
    } as Record<string, string>,
    teams: "Teams",
    team: (letter: string) => `Team ${letter}`,
    free: "free",
    drawn: "The teams are drawn when the game begins.",
  },

  history: {
    shares,
    of: (name: string, what: string) => `${name} ${what}`,
    automatic: "automatically: ",
    plays: (tile: string) => `plays ${tile}`,
    founds: (chain: string) => `founds ${chain}`,
    merges: (chains: readonly string[]) => `merges ${list(chains)}`,
    survives: (chain: string) => `lets ${chain} survive`,
    isNext: (chain: string) => `takes ${chain} next`,
    bonus: (chain: string, bonus: number) => `gets ${money(bonus)} for ${chain}`,
    disposes: (chain: string, trade: number, sell: number) => {
      const parts = [...(trade > 0 ? [`trades ${trade}`] : []), ...(sell > 0 ? [`sells ${sell}`] : [])];
      return parts.length === 0 ? `keeps all ${chain}` : `${list(parts)} ${chain}`;
    },
    tooPoor: "cannot afford a share",
    buys: (bought: string) => `buys ${bought}`,
    buysNothing: "buys nothing",
    draws: (tile: string) => `draws ${tile}`,
    drawsLast: "draws the last tile",
    laysAside: (tile: string) => `lays the dead tile ${tile} aside`,
    nothingToPlay: "has no tile to play",
    ends: "ends the game",
    paid: (name: string, bonus: number) => `${money(bonus)} to ${name}`,
    pays: (chain: string, paid: readonly string[]) => `${chain} pays ${list(paid)}`,
    nobodyCould: "nobody could play a tile for a whole round",
    allPlayed: "no tile is left to play",
    forfeits: "forfeits",
  },

  reasons: {
    ended: "A player ended it",
    all_tiles_played: "No tile is left to play",
    no_tiles_played: "Nobody could play a tile for a whole round",
  } as Record<string, string>,
  /** Who ended the game, and what allowed it; the name is null if nobody was left to play. */
  ended: {
    large: (name: string | null, chain: string, size: number) =>
      name === null ? `Nobody plays any more, and ${chain} has ${size} tiles` : `${name} ended it: ${chain} has ${size} tiles`,
    safe: (name: string | null) =>
      name === null ? "Nobody plays any more, and every chain is safe" : `${name} ended it: every chain is safe`,
  },

  keys: {
    digit: "a tile of your rack from the left, or a chain by its number",
    letter: "a chain by its letter: choose it, or buy a share of it",
    tower: "Tower; or trade two more shares",
    keep: "keep all shares of a swallowed chain",
    sell: "sell one more share",
    ok: "do it: buy, trade and sell as chosen",
    end: "end the game with this purchase, or not",
  },
};
