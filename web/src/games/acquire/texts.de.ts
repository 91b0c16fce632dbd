import { list, number, plural } from "../../texts/grammar.de.ts";
import type { Words } from "../../texts/words.ts";
import { faceWords } from "./face_texts.de.ts";
import { FORMS, LONELY, MERGES, NEIGHBOUR, NEVER, NOT_NOW } from "./kinds.ts";
import { chainOf, CHAINS, isChain, MOST_SHARES } from "./plan.ts";

/** Money is counted in hundreds. */
const money = (hundreds: number): string => `${number(hundreds * 100)}\u00a0$`;
const chainName = (chain: number): string => CHAINS[chain] ?? "";
const tiles = (count: number): string => plural(count, "Stein", "Steine");

const SHORT: Record<string, string> = {
  [LONELY]: "allein",
  [NEIGHBOUR]: "Paar",
  [FORMS]: "neu",
  [MERGES]: "Fusion",
  [NOT_NOW]: "jetzt nicht",
  [NEVER]: "tot",
};

/** The words of Acquire, in German. */
export const words: Words<typeof import("./texts.ts").words> = {
  money,
  chainName,
  board: "Acquire, eine Stadt mit 12 mal 9 Bauplätzen",
  tileInRack: (tile) => `Dein Stein ${tile}`,
  empty: "leer",
  house: "ein Stein ohne Kette",
  aside: "beiseitegelegt, hier wird nie gebaut",
  chain: (chain, size, safe) => `${chainName(chain)}, ${tiles(size)}${safe ? ", sicher" : ""}`,
  heldBy: (what, name) => `${what}, ${name} hat diesen Stein`,
  yours: (does) => `leer, du hast diesen Stein: ${does}`,

  short: (does) => (isChain(does) ? chainName(chainOf(does)) : (SHORT[does] ?? "")),
  does: (does, touched, survivors) => {
    const names = list(touched.map(chainName));
    if (isChain(does)) return `erweitert ${chainName(chainOf(does))}`;
    switch (does) {
      case LONELY:
        return "berührt nichts";
      case NEIGHBOUR:
        return "berührt nur einen anderen Stein von dir";
      case FORMS:
        return "gründet eine neue Kette";
      case MERGES:
        return survivors.length > 1
          ? `fusioniert ${names}, und du wählst, welche überlebt`
          : `fusioniert ${names}, und ${chainName(survivors[0]!)} überlebt`;
      case NOT_NOW:
        return "lässt sich jetzt nicht legen: Alle sieben Ketten sind auf dem Brett";
      default:
        return `lässt sich nie legen: ${names} sind sicher`;
    }
  },
  priced: (chain, price, left) => `${chainName(chain)} kostet ${money(price)} je Aktie; ${left} von 25 sind übrig.`,

  standing: { title: "Wert", forfeited: "aufgegeben" },
  worth: (worth) => `${money(worth)} wert`,

  questions: {
    leave: "Das Spiel verlassen? Damit gibst du auf: Ab jetzt handelt der Server für dich, und es zählt, was du dann hast.",
    resign: "Aufgeben? Ab jetzt handelt der Server für dich, und es zählt, was du dann hast.",
  },

  asks: {
    PlayTile: "Leg einen deiner Steine.",
    SelectNewChain: "Welche Kette gründest du?",
    SelectMergerSurvivor: "Sie sind gleich groß. Welche überlebt?",
    SelectChainToDisposeOfNext: "Welche geschluckte Kette kommt als Nächste?",
    DisposeOfShares: null,
    PurchaseShares: `Kauf bis zu ${MOST_SHARES} Aktien`,
    GameOver: null,
  },
  waits: {
    PlayTile: (name) => `${name} legt einen Stein.`,
    SelectNewChain: (name) => `${name} wählt eine neue Kette.`,
    SelectMergerSurvivor: (name) => `${name} wählt, welche Kette überlebt.`,
    SelectChainToDisposeOfNext: (name) => `${name} wählt, welche geschluckte Kette als Nächste kommt.`,
    DisposeOfShares: (name, chain) => `${name} tauscht, verkauft oder behält Aktien von ${chain}.`,
    PurchaseShares: (name) => `${name} kauft Aktien.`,
    GameOver: () => "",
  },

  buying: {
    stock: (left) => `(noch ${left})`,
    drop: (chain) => `Eine Aktie von ${chain} zurücklegen`,
    basket: "Aktien zum Kaufen",
    left: (cash) => `noch ${money(cash)}`,
    buy: (chains, cost) => `${chains} für ${money(cost)} kaufen`,
    skip: "Nichts kaufen",
    andEnd: (what) => `${what} und das Spiel beenden`,
    end: "Das Spiel beenden",
  },
  disposing: {
    title: (defunct, survivor, held, price) => `${survivor} hat ${defunct} geschluckt. Du hältst ${held} zu ${money(price)}.`,
    trade: "Tauschen",
    tradeHint: (survivor) => `2 gegen 1 ${survivor}`,
    sell: "Verkaufen",
    sellHint: (price) => `je ${money(price)}`,
    less: (what) => `${what}: weniger`,
    more: (what) => `${what}: mehr`,
    all: (defunct) => `Alle ${defunct} behalten`,
    do: (trade, survivor, sell, got, keep) =>
      [
        ...(trade > 0 ? [`${trade} gegen ${trade / 2} ${survivor} tauschen`] : []),
        ...(sell > 0 ? [`${sell} für ${money(got)} verkaufen`] : []),
        ...(keep > 0 ? [`${keep} behalten`] : []),
      ].join(", "),
    after: (survivor, count, cash) => `Danach: ${count} ${survivor}, ${money(cash)}`,
  },

  sheet: {
    title: "Stand",
    chains: "Aktien jeder Kette",
    chain: "Kette",
    size: "Größe",
    price: "Preis",
    left: "Übrig",
    players: "Was alle haben",
    player: "Spieler",
    cash: "Bar",
    worth: "Wert",
    tiles: "Steine",
    most: "größter Anteil",
    second: "zweitgrößter Anteil",
    safe: "sicher",
    bag: (count) => `${tiles(count)} im Beutel`,
    team: (letter) => `Team ${letter}`,
    bonuses: "Boni, würde jetzt ausgezahlt",
    paid: "Boni am Ende",
    noBonuses: "Noch ist keine Kette auf dem Brett.",
    nobody: (first, second) => `niemand (${money(first)} und ${money(second)})`,
  },
  look: {
    title: "Wie die Stadt aussieht",
    labels: "Auf den Dächern",
    labelChoices: { coordinates: "Koordinaten", initials: "Anfangsbuchstaben" },
    colours: "Farben",
    colourChoices: { usual: "Üblich", distinct: "Für Farbenblinde" },
  },
  form: {
    ok: "OK",
    presets: { four: "Zu viert", two: "Zu zweit", teams: "Zwei gegen zwei", quick: "Mit Uhr" },
    mode: "Modus",
    modes: faceWords.mode,
    order: "Reihenfolge",
    orders: { random: "Zufällig", exact: "Wie die Plätze", teams: "Teams, wie sie sitzen" },
    orderHints: {
      random: "Wer beginnt und wer folgt, wird zu Beginn ausgelost.",
      exact: "Alle spielen in der Reihenfolge der Plätze.",
      teams: "Partner bleiben Partner; die Reihenfolge wird zu Beginn ausgelost.",
    },
    teams: "Teams",
    team: (letter) => `Team ${letter}`,
    free: "frei",
    drawn: "Die Teams werden zu Beginn ausgelost.",
  },

  history: {
    shares: (count, chain) => `${count} ${chain}`,
    of: (name, what) => `${name} ${what}`,
    automatic: "automatisch: ",
    plays: (tile) => `legt ${tile}`,
    founds: (chain) => `gründet ${chain}`,
    merges: (chains) => `fusioniert ${list(chains)}`,
    survives: (chain) => `lässt ${chain} überleben`,
    isNext: (chain) => `nimmt ${chain} als Nächste`,
    bonus: (chain, bonus) => `bekommt ${money(bonus)} für ${chain}`,
    disposes: (chain, trade, sell) => {
      const parts = [...(trade > 0 ? [`tauscht ${trade}`] : []), ...(sell > 0 ? [`verkauft ${sell}`] : [])];
      return parts.length === 0 ? `behält alle ${chain}` : `${list(parts)} ${chain}`;
    },
    tooPoor: "kann sich keine Aktie leisten",
    buys: (bought) => `kauft ${bought}`,
    buysNothing: "kauft nichts",
    draws: (tile) => `zieht ${tile}`,
    drawsLast: "zieht den letzten Stein",
    laysAside: (tile) => `legt den toten Stein ${tile} beiseite`,
    nothingToPlay: "hat keinen Stein zu legen",
    ends: "beendet das Spiel",
    paid: (name, bonus) => `${money(bonus)} an ${name}`,
    pays: (chain, paid) => `${chain} zahlt ${list(paid)}`,
    nobodyCould: "eine ganze Runde lang konnte niemand legen",
    allPlayed: "kein Stein ist mehr zu legen",
    forfeits: "gibt auf",
  },

  reasons: {
    ended: "Ein Spieler hat es beendet",
    all_tiles_played: "Kein Stein war mehr zu legen",
    no_tiles_played: "Eine ganze Runde lang konnte niemand legen",
  },
  ended: {
    large: (name, chain, size) =>
      name === null ? `Niemand spielt mehr, und ${chain} hat ${tiles(size)}` : `${name} hat es beendet: ${chain} hat ${tiles(size)}`,
    safe: (name) =>
      name === null ? "Niemand spielt mehr, und alle Ketten sind sicher" : `${name} hat es beendet: Alle Ketten sind sicher`,
  },

  keys: {
    digit: "einer deiner Steine, von links gezählt, oder eine Kette nach ihrer Nummer",
    letter: "eine Kette nach ihrem Buchstaben: wählen, oder eine Aktie kaufen",
    tower: "Tower; oder zwei Aktien mehr tauschen",
    keep: "alle Aktien einer geschluckten Kette behalten",
    sell: "eine Aktie mehr verkaufen",
    ok: "ausführen: kaufen, tauschen und verkaufen wie gewählt",
    end: "das Spiel mit diesem Kauf beenden, oder nicht",
  },
};
