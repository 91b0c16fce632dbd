import { list, number } from "../../texts/grammar.ts";
import { faceWords } from "./face_texts.ts";
import { FORMS, LONELY, MERGES, NEIGHBOUR, NEVER, NOT_NOW } from "./kinds.ts";
import { chainOf, CHAINS, isChain } from "./plan.ts";
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

  forfeited: "forfeited",

  questions: {
    leave: "Leave the game? That forfeits it: the server acts for you from now on, and your score counts as it is then.",
    resign: "Resign? The server acts for you from now on, and your score counts as it is then.",
  },

  asks: {
    PlayTile: "Play a tile of your rack.",
    SelectNewChain: "Which chain do you found?",
    SelectMergerSurvivor: "They are equally large. Which one survives?",
    SelectChainToDisposeOfNext: "Which swallowed chain comes next?",
    DisposeOfShares: "",
    PurchaseShares: "Buy up to three shares.",
    GameOver: "",
  } satisfies Record<AwaitedName, string> as Record<AwaitedName, string>,
  waits: {
    PlayTile: "A tile is to be played.",
    SelectNewChain: "A new chain is to be chosen.",
    SelectMergerSurvivor: "It is to be chosen which chain survives.",
    SelectChainToDisposeOfNext: "It is to be chosen which swallowed chain comes next.",
    DisposeOfShares: "Shares of a swallowed chain are traded, sold or kept.",
    PurchaseShares: "Shares are bought.",
    GameOver: "",
  } satisfies Record<AwaitedName, string> as Record<AwaitedName, string>,

  buying: {
    add: (chain: string, price: number, left: number) => `One share of ${chain} for ${money(price)}, ${left} left`,
    drop: (chain: string) => `Put one share of ${chain} back`,
    basket: "Shares to buy",
    left: (cash: number) => `${money(cash)} left`,
    buy: (chains: string, cost: number) => `Buy ${chains} for ${money(cost)}`,
    nothing: "Buy nothing",
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
    net: "Net",
    tiles: "Tiles",
    most: "majority",
    second: "minority",
    safe: "safe",
    bag: (count: number) => `${count} tiles in the bag`,
    teams: "Teams",
    team: (number: number) => `Team ${number}`,
    bonuses: "Bonuses, if bought out now",
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
    team: (number: number) => `Team ${number}`,
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
    nobodyCould: "nobody could play for a whole round",
    allPlayed: "all tiles are played",
    forfeits: "forfeits",
  },

  reasons: {
    ended: "Ended by a player",
    all_tiles_played: "All tiles are played",
    no_tiles_played: "No tile could be played",
  } as Record<string, string>,

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
