/** So many are made without letting anything else wait. */
export const PIECE = 40;

/** A long list is made piece by piece, and whatever else there is to do comes between. */
export class PieceByPiece {
  #made = $state(0);

  /** How many are there by now, of so many. */
  count(length: number): number {
    return length - this.#made <= PIECE ? length : this.#made;
  }

  /** Make the next piece once everything else had its turn. Answers how to stop that. */
  goOn(length: number): (() => void) | undefined {
    if (this.count(length) === length) {
      this.#made = length;
      return undefined;
    }
    const timer = setTimeout(() => (this.#made += PIECE));
    return () => clearTimeout(timer);
  }
}
