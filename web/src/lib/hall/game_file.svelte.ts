import type { GameFiles } from "../../games/card.ts";
import { filesOf, filesOfAll, gameFace } from "../../games/index.ts";
import { texts } from "../../texts/index.ts";
import { doing } from "../doing.ts";
import type { Line } from "../review/notes.ts";
import { router } from "../router.svelte.ts";
import { sendFile } from "../wire/api.ts";
import { Refused } from "../wire/refused.ts";
import type { Events } from "../wire/to_client.ts";
import { TableStore } from "./table_store.svelte.ts";

export const ENDINGS = filesOfAll().flatMap(({ endings }) => endings);

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
  ) {
    this.store.happened(told);
  }

  /** Open a table at which the game goes on. */
  resume(): Promise<boolean> {
    return doing(async () => {
      const { table } = await sendFile<{ table: string }>(this.format.resume, this.file);
      router.go(`/t/${table}`);
    });
  }
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

  async #read(file: File): Promise<void> {
    const format = filesOf(file.name);
    if (format === null) throw new Refused("not_a_file", texts.files.unknown(ENDINGS));
    const { suspended, told, line } = await sendFile<{ suspended: boolean; told: Events; line?: Line }>(format.read, file);
    this.game = new GameFile(file, format, suspended, told, line ?? { moves: [] });
    router.go("/file");
  }
}

export const desk = new GameFileDesk();

/** The address of a table's game as a file, if there is one now. */
export function fileOf(table: {
  id: string;
  game: string;
  key: string | null;
  outcome: unknown;
  exported: boolean;
}): { address: string; name: string; text: string } | null {
  const format = gameFace(table.game)?.files;
  const file = table.outcome !== null ? format?.finished : table.exported ? format?.suspended : undefined;
  if (file === undefined) return null;
  const ending = file.name.slice(file.name.lastIndexOf("."));
  const key = table.key === null ? "" : `?key=${table.key}`;
  return { address: `/api/tables/${table.id}/${file.name}${key}`, name: `gamut-${table.id}${ending}`, text: file.text };
}
