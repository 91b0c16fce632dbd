import type { Words } from "../../texts/words.ts";
import { list, plural } from "../../texts/grammar.de.ts";

const NOBODY = "niemand";
const EVERYBODY = "alle";
const KING = "der König";

/** Of one of them, of several, and in the plural after "to capture", which is the same. */
export const PIECES: Readonly<Record<string, readonly [one: string, many: string]>> = {
  t: ["Taflstein", "Taflsteine"],
  c: ["Anführer", "Anführer"],
  n: ["Ritter", "Ritter"],
  k: ["König", "Könige"],
  m: ["Söldner", "Söldner"],
  g: ["Wächter", "Wächter"],
};
const SIDES = ["Angreifer", "Verteidiger"] as const;

/** Only those: "Nur der König", "Nur Angreifer", "Alle". */
const only = (who: string): string => (who === EVERYBODY ? "Alle" : `Nur ${who}`);
/** The verb that goes with those. */
const may = (who: string): string => (who === KING ? "darf" : "dürfen");
/** Those as somebody who is captured: "den König", "Angreifer", "jeden". */
const captured = (who: string): string => (who === EVERYBODY ? "jeden" : who.replaceAll(KING, "den König"));

/** The words of Tafl, in German. */
export const words: Words<typeof import("./texts.ts").words> = {
  board: (name, size) => `${name}, ${size} mal ${size} Felder`,
  empty: "leer",
  areas: { corner: "Ecke", centre: "Thron", attackerFort: "Festung der Angreifer", defenderFort: "Festung der Verteidiger" },
  piece: (letter) => {
    if (letter === "K") return KING;
    const kind = letter.toLowerCase();
    const side = SIDES[letter >= "a" ? 0 : 1];
    return kind === "t" ? side : `${side}, ${PIECES[kind]?.[0] ?? ""}`;
  },
  on: (piece, area) => (area === null ? piece : `${piece}, ${area}`),
  rulesTitle: "Regeln",
  confirm: "Dorthin ziehen",
  goesOn: "zieht weiter",
  attackersLeft: (count) => plural(count, "Angreifer", "Angreifer"),
  defendersLeft: (kings, others) => {
    if (kings === 0) return plural(others, "Verteidiger", "Verteidiger");
    const named = kings === 1 ? "König" : `${kings} Könige`;
    return others === 0 ? `${named} allein` : `${named} und ${others}`;
  },
  fromEscape: (moves) => `${plural(moves, "Zug", "Züge")} bis zur Flucht`,
  moved: (letter, from, to, captured, again) =>
    [
      `${words.piece(letter)} von ${from} nach ${to}`,
      ...(captured.length > 0 ? [`schlägt ${list(captured)}`] : []),
      ...(again ? ["und zieht weiter"] : []),
    ].join(", "),
  recorded: "Ende",
  ended: { resigned: "gibt auf", time: "hat keine Zeit mehr", agreed: "unentschieden vereinbart", recorded: "Ende", endless: "unentschieden" },

  who: (letters, everybody) => {
    const there = [...everybody].filter((letter) => letters.includes(letter));
    if (there.length === 0) return NOBODY;
    if (there.length === everybody.length) return EVERYBODY;
    if (there.join("") === "K") return KING;
    for (const side of [0, 1]) {
      const own = [...everybody].filter((letter) => (letter >= "a" ? 0 : 1) === side);
      if (there.join("") === own.join("")) return SIDES[side]!;
    }
    const named = (letter: string) =>
      letter === "K" ? KING : `${PIECES[letter.toLowerCase()]?.[1] ?? ""} der ${SIDES[letter >= "a" ? 0 : 1]}`;
    return list(there.map(named));
  },
  space: {
    title: {
      corner: "Eine Ecke.",
      centre: "Der Thron.",
      attackerFort: "Eine Festung der Angreifer.",
      defenderFort: "Eine Festung der Verteidiger.",
    },
    stops: (who) => (who === NOBODY ? "Niemand darf hier halten." : `${only(who)} ${may(who)} hier halten.`),
    passes: (who) => (who === NOBODY ? "Niemand darf hindurch." : `${only(who)} ${may(who)} hindurch.`),
    returns: (who) => (who === NOBODY ? "Niemand darf wieder herein." : `${only(who)} ${may(who)} wieder herein.`),
    hostile: (who) => `Wie ein Feind hilft dieses Feld, ${captured(who)} zu schlagen.`,
    hostileEmpty: (who) => `Solange dieses Feld leer ist, hilft es, ${captured(who)} zu schlagen.`,
    hostileTaken: (who) => `Solange jemand hier steht, hilft dieses Feld, ${captured(who)} zu schlagen.`,
    escape: "Kommt der König hierher, ist er entkommen.",
  },
  kinds: {
    k: {
      s: "Der König. Er wird von Feinden auf allen vier Seiten geschlagen.",
      c: "Der König. Auf dem Thron und daneben wird er von allen vier Seiten geschlagen, sonst zwischen zwei Feinden.",
      m: "Der König. Er ist geschlagen, wenn jedes Feld neben ihm feindlich ist.",
      w: "Der König. Er wird zwischen zwei Feinden geschlagen, wie alle.",
    },
    c: "Ein Anführer.",
    n: "Ein Ritter.",
    m: "Ein Söldner: Wird er geschlagen, wechselt er die Seite.",
    g: "Ein Wächter: Er schlägt niemanden und wird nie geschlagen.",
  },

  jumps: {
    n: null,
    r: "darf über einen Feind daneben springen, von einem besonderen Feld oder auf eines",
    j: "darf über einen Feind daneben springen",
    c: "schlägt einen Feind daneben, indem er über ihn springt",
  },
  arms: {
    y: null,
    h: "schlägt, wenn er selbst zieht, hilft aber anderen nicht beim Schlagen",
    a: "schlägt nicht, wenn er zieht, hilft aber anderen beim Schlagen",
    n: "hilft nicht beim Schlagen",
  },
  slow: (spaces) => `zieht höchstens ${plural(spaces, "Feld", "Felder")} weit`,
  does: (_letter, what) => `Er ${what}.`,
  slowPiece: (letter) => (letter === "t" ? "Ein Angreifer." : "Ein Verteidiger."),

  reasons: {
    no_attackers: "Kein Angreifer ist mehr da",
    no_defenders: "Kein Verteidiger ist mehr da",
    repetition: "Dieselbe Stellung kam zum dritten Mal",
    escape: "Der König ist entkommen",
    king_captured: "Der König ist geschlagen",
    immobile: "Kein Verteidiger hat ein leeres Feld neben sich",
    fort: "Der König ist in einer Festung am Rand sicher",
    encircled: "Die Verteidiger sind eingekreist",
    no_moves: "Es gab keinen Zug mehr",
    agreed: "Unentschieden vereinbart",
    recorded: "So steht es in der Datei",
    endless: "Es waren mehr Züge, als ein Spiel braucht",
  },

  titles: {
    brandub: "Brandub",
    magpie: "Magpie",
    tablut: "Tablut",
    foteviken: "Foteviken Tablut",
    sea_battle: "Sea Battle",
    copenhagen: "Copenhagen",
    copenhagen_relaxed: "Copenhagen, entspannt",
    fetlar: "Fetlar",
    computer_fetlar: "Computer Fetlar",
    tawlbwrdd: "Tawlbwrdd",
    berserk: "Berserk",
    sea_battle_parlett: "Sea Battle (Parlett)",
    tablut_15: "Tablut 15",
    alea_evangelii: "Alea Evangelii",
  },

  about: {
    brandub: "Aus Irland. Schnell und gut zum Lernen: Der König will in eine Ecke und wird zwischen zweien geschlagen.",
    magpie: "Brandub mit einem König, der nur ein Feld weit zieht und von allen Seiten geschlagen wird.",
    tablut: "Aus Sápmi, 1732 von Linné aufgeschrieben. Der König will an den Rand.",
    foteviken: "Tablut, bei dem die Angreifer in Lagern beginnen. Wer ein Lager oder den Thron verlassen hat, kommt nicht wieder herein.",
    sea_battle: "Kein Thron und keine Ecken. Der König will an den Rand und hilft nicht beim Schlagen.",
    copenhagen: "Das spielen heute die meisten. Der König will in eine Ecke. Es gibt Schildwälle und Festungen am Rand.",
    copenhagen_relaxed: "Copenhagen, bei dem jeder Zug einen Schildwall schließen darf.",
    fetlar: "Copenhagen ohne Schildwälle und Festungen. Kommt eine Stellung zum dritten Mal, ist es unentschieden.",
    computer_fetlar: "Fetlar, bei dem verliert, wer eine Stellung zum dritten Mal herbeiführt.",
    tawlbwrdd: "Aus Wales. Keine besonderen Felder: Der König will an den Rand und wird zwischen zweien geschlagen.",
    berserk:
      "Wer schlägt, zieht mit derselben Figur weiter, solange sie schlagen kann. Anführer und ein Ritter springen. Die Verteidiger beginnen.",
    sea_battle_parlett: "Sea Battle auf einem größeren Brett, mit 32 Angreifern.",
    tablut_15: "Tablut auf einem großen Brett: 40 gegen 20 und den König.",
    alea_evangelii: "Das größte Brett, aus einer englischen Handschrift. Jede Ecke hat vier Felder.",
  },

  form: {
    variant: "Variante",
    own: "Eigene Regeln",
    ownName: "Meine Regeln",
    rules: "Regelzeile",
    rulesHint: "Schlüssel und Werte, etwa dim:7 esc:e. Was fehlt, ist wie üblich.",
    nothing: "Hier steht nichts. Schreib die Regeln, oder wähle oben eine Variante.",
    unknown: (keys) =>
      `${list(keys)}: ${keys.length === 1 ? "Diesen Schlüssel gibt" : "Diese Schlüssel gibt"} es in Tafl nicht. Es ist, als stünde dort nichts.`,
    checking: "Die Regeln werden gelesen …",
    place: (line, column) => `Zeile ${line}, Spalte ${column}: `,
    goThere: "Zeig mir, wo",
    inWords: "Die Regeln in Worten",
    same: (title) => `Das sind die Regeln von ${title}.`,
    yourBoard: "Der Anfang auf deinem Brett",
  },

  options: {
    quirks: {
      title: "Wie OpenTafl spielt",
      hint: "Mit den Fehlern dieses Programms: Wer es benutzt, sieht dann dasselbe Brett.",
      choices: { true: "mit seinen Fehlern" },
    },
  },
};
