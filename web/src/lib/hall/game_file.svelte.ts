import type { GameFiles } from "../../games/card.ts";
import { broughtTo, filesOf, filesOfAll, gameFace } from "../../games/index.ts";
import { texts } from "../../texts/index.ts";
import { doing } from "../doing.ts";
import type { Line } from "../review/notes.ts";
import { router } from "../router.svelte.ts";
import { sendFile } from "../wire/api.ts";
import { Refused } from "../wire/refused.ts";
import type { Events } from "../wire/to_client.ts";
import { hall } from "./hall.svelte.ts";
import { newTable } from "./new_table.svelte.ts";
import { TableStore } from "./table_store.svelte.ts";

const LONGEST_TEXT = 1 << 19;

export const ENDINGS = filesOfAll().flatMap(({ endings }) => endings);

/** A game that is a question: after how many moves it is first seen, and after how many somebody solves it. */
export interface PuzzleSetting {
  shown: number;
  start: number;
  /** Only what is recorded is an answer. */
  strict: boolean;
}

/** A game out of a file, which somebody looks at on this page only. */
export class GameFile {
  readonly store = new TableStore("file");

  constructor(
    readonly file: File,
    readonly format: GameFiles,
    readonly suspended: boolean,
    told: Events,
    /** What the file says beyond the game itself: words about it, and other lines. */
    readonly line: Line,
    /** How it is to be solved, if it is a question. */
    readonly puzzle: PuzzleSetting | null = null,
  ) {
    this.store.happened(told);
  }

  /** Open a table at which the game goes on. */
  resume(): Promise<boolean> {
    const { resume } = this.format;
    if (resume === undefined) return Promise.resolve(false);
    const go = router.fromHere();
    return doing(async () => {
      await hall.isIn();
      const { table } = await sendFile<{ table: string }>(resume, this.file);
      go(`/t/${table}`);
    });
  }
}

interface FileAnswer {
  suspended: boolean;
  told: Events;
  line?: Line;
  puzzle?: PuzzleSetting;
}

class GameFileDesk {
  /** The file that was opened last. */
  game: GameFile | null = $state.raw(null);
  busy = $state(false);

  async open(file: File): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    await doing(() => this.#read(file));
    this.busy = false;
  }

  /** What is in a text that somebody brings; false if it means nothing to any game. */
  bring(text: string): boolean {
    const found = broughtTo(text);
    if (found === null) return false;
    const { game, brought } = found;
    if ("file" in brought) void this.open(new File([text], brought.file));
    else newTable.wish(game, brought.options);
    return true;
  }

  async #read(file: File): Promise<void> {
    if (file.size === 0) throw new Refused("empty_file", texts.files.empty);
    const format = filesOf(file.name);
    if (format === null) {
      // Whatever its name says: it may be a text that some game knows.
      if (file.size <= LONGEST_TEXT && broughtTo(await file.text()) !== null) {
        this.busy = false;
        this.bring(await file.text());
        return;
      }
      throw new Refused("no_game_file", texts.files.unknown(ENDINGS));
    }
    const go = router.fromHere();
    // Whoever has just come is not known yet, and would be turned away.
    await hall.isIn();
    const { suspended, told, line, puzzle } = await sendFile<FileAnswer>(format.read, file);
    this.game = new GameFile(file, format, suspended, told, line ?? { moves: [] }, puzzle ?? null);
    go("/file");
  }
}

export const desk = new GameFileDesk();

/** The address of a table's game as a file, if there is one now. */
export function fileOf(table: {
  id: string;
  game: string;
  key: string | null;
  outcome: unknown;
  closedWhy: string | null;
}): { address: string; name: string; text: string } | null {
  const format = gameFace(table.game)?.files;
  const file = table.outcome !== null ? format?.finished : table.closedWhy === "exported" ? format?.suspended : undefined;
  if (file === undefined) return null;
  const ending = file.name.slice(file.name.lastIndexOf("."));
  const key = table.key === null ? "" : `?key=${table.key}`;
  return { address: `/api/tables/${table.id}/${file.name}${key}`, name: `gamut-${table.id}${ending}`, text: file.text };
}
