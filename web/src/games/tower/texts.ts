import { plural } from "../../texts/grammar.ts";

/** The words of Tower, in English. */
export const words = {
  board: "Tower, three rings of eight tiles",
  tile: (tile: number, level: number, row: number, column: number): string => {
    const ring = ["upper ring", "middle ring", "lower ring"][level] ?? "";
    const place = [
      ["back left", "back", "back right"],
      ["left", "", "right"],
      ["front left", "front", "front right"],
    ][row]?.[column];
    return `${words.short(tile)}, ${ring}, ${place ?? ""}`;
  },
  /** A ring and a tile of it, as it stands on the tile. */
  short: (tile: number) => `${"ABC"[Math.floor(tile / 8)] ?? ""}${(tile % 8) + 1}`,
  empty: "empty",
  marked: (mark: string) => mark,
  placed: (mark: string, place: string) => `${mark} on ${place}`,
  openLines: (count: number) => plural(count, "open line", "open lines"),
  presets: { leisure: "At leisure", quick: "Quick", clock: "By the clock" },
  reasons: { line: "Three in a line", full: "The tower is full" } as Record<string, string>,
  shortRules: [
    "Three players share a tower of three rings, eight tiles each.",
    "On your turn you put your mark on any empty tile.",
    "Three of your marks in a straight line win at once.",
  ],
  lines: "Lines run along the edges of a ring, straight down a column, and diagonally across an outer face. Nothing goes through the hollow middle: there are 28 lines in all.",
  pictures: {
    edge: "Along an edge of one ring.",
    column: "Straight down, one tile on each ring.",
    face: "Diagonally across an outer face: a corner, the middle of that side one ring on, the opposite corner.",
  },
  fullRules: [
    "The seats have the marks X, O and J, and play in that order, X first.",
    "A mark never moves and is never removed. There is no passing.",
    "The first to have three own marks on a line wins. If one mark completes two lines, one of them is shown.",
    "If all 24 tiles are filled without a line, the game is a draw.",
    "If somebody leaves, the game waits until another person or a bot sits in, with the same mark and turn.",
    "If your clock runs out, a mark is put on a random empty tile for you.",
  ],
  advice: "Two opponents can block you, but each of them would rather not spend the turn. Look at what the next player must do before you do it for them.",
};
