import { groundOf, spaceName, type AreaKind, type Ground } from "./ground.ts";
import { thoughts } from "./in_words_texts.ts";

const LETTERS = "tcnkmgTCNKMG";
const KINDS = "tcnkmg";
const AREAS: readonly AreaKind[] = ["corner", "centre", "attackerFort", "defenderFort"];

/** Rules in words, one thought on each line: what somebody must know before a game by rules they have never seen. */
export function inWords(rules: string): string[] {
  const ground = groundOf(rules);
  const there = lettersInPlay(ground);
  return [
    ...pieces(ground),
    thoughts.aim[ground.escapesAtEdge ? "edge" : ground.areas.corner.spaces.length > 0 ? "corner" : "nowhere"],
    ...moving(ground, there),
    ...AREAS.flatMap((kind) => [...aboutArea(ground, kind, there)]),
    ...capturing(ground, there),
    ...(ground.edgeForts ? [thoughts.edgeForts] : []),
    ...(ground.surround ? [thoughts.surround] : []),
    thoughts.noMove,
    thoughts.repetition[ground.repetition],
  ];
}

/** The kinds of pieces that there may be: mercenaries change sides. */
function lettersInPlay({ start }: Ground): string {
  const mercenaries = /m/i.test(start) ? "mM" : "";
  return [...LETTERS].filter((letter) => start.includes(letter) || mercenaries.includes(letter)).join("");
}

function* pieces({ name, size, start, attackersFirst }: Ground): Iterable<string> {
  yield thoughts.board(name, size);
  for (const side of [0, 1] as const) {
    const own = [...LETTERS].filter((letter) => (letter >= "a" ? 0 : 1) === side && start.includes(letter));
    const counted = own.map((letter) => [letter, [...start].filter((other) => other === letter).length] as const);
    if (counted.length > 0) yield thoughts.has(side, counted);
  }
  yield thoughts.first(attackersFirst ? 0 : 1);
}

function* moving({ speeds, jumps, berserk }: Ground, there: string): Iterable<string> {
  yield thoughts.moving;
  const slow = [...there].flatMap((letter) => (speeds[letter] === undefined ? [] : [[letter, speeds[letter]] as const]));
  if (slow.length === 0) yield thoughts.far;
  else if (slow.length === there.length && new Set(slow.map(([, spaces]) => spaces)).size === 1) yield thoughts.allSlow(slow[0]![1]);
  else yield thoughts.someSlow(slow);
  const jumping = [...KINDS].flatMap((kind) => {
    const mode = jumps[kind] ?? "n";
    return mode === "n" || !there.toLowerCase().includes(kind) ? [] : [thoughts.jumps[mode](kind)];
  });
  yield* jumping;
  if (jumping.length > 0) yield thoughts.notOver;
  if (berserk !== "n") yield thoughts.berserk[berserk];
}

function* aboutArea(ground: Ground, kind: AreaKind, everybody: string): Iterable<string> {
  const { spaces, usual, stopping, passing, entering, hostile } = ground.areas[kind];
  if (spaces.length === 0) return;
  const among = (letters: string) => [...everybody].filter((letter) => letters.includes(letter)).join("");
  const [stop, pass, enter] = [among(stopping), among(passing), among(entering)];
  yield thoughts.area(kind, spaces.length, usual ? null : spaces.map((space) => spaceName(space, ground.size)), [
    thoughts.stops(stop, everybody),
    ...(pass === stop ? [] : [thoughts.passes(pass, everybody)]),
    ...(enter === everybody ? [] : [thoughts.returns(enter, everybody)]),
  ]);
  const empty = among(ground.emptyCentreHostile);
  if (kind === "centre" && empty !== "") yield thoughts.hostileEmpty(empty, everybody);
  const helps = kind === "centre" ? thoughts.hostileTaken : thoughts.hostile;
  if (among(hostile) !== "") yield helps(among(hostile), everybody);
}

function* capturing(ground: Ground, there: string): Iterable<string> {
  yield thoughts.captured;
  yield thoughts.safe;
  yield thoughts.strength[ground.kingStrength];
  yield thoughts.arms[ground.kingArms];
  if (/[cn]/.test(there) && (ground.kingStrength === "s" || ground.kingStrength === "c")) yield thoughts.elite;
  if (there.includes("m")) yield thoughts.mercenaries;
  if (/g/i.test(there)) yield thoughts.guards;
  if (ground.shieldwall !== "n") {
    yield thoughts.shieldwall[ground.shieldwall];
    yield ground.flanking ? thoughts.flanking : thoughts.anyPiece;
    yield thoughts.kingInWall;
  }
  if (ground.linnaean) yield thoughts.linnaean;
}
