import { PieceByPiece } from "../piece_by_piece.svelte.ts";

/** A large board is drawn piece by piece when it is first shown, and seen once all is there. From then on nothing waits. */
export class FirstDrawing {
  readonly #made = new PieceByPiece();
  #over = $state(false);

  constructor(
    /** Small pictures are simply there. */
    private readonly atOnce: boolean,
  ) {}

  /** Whether the board has been whole: what comes onto it now was put there. */
  get over(): boolean {
    return this.#over;
  }

  /** How many pieces are drawn by now, of so many. */
  count(length: number): number {
    return this.atOnce || this.#over ? length : this.#made.count(length);
  }

  /** Draw more once everything else had its turn. Answers how to stop that. */
  goOn(length: number): (() => void) | undefined {
    if (this.count(length) < length) return this.#made.goOn(length);
    this.#over = true;
    return undefined;
  }
}
