/** Pixels: less is a hand that is not quite still. */
const STILL = 6;

export interface Dragger {
  /** The square at a point of the screen. */
  squareAt(x: number, y: number): string | null;
  /** How many of the board's units a pixel is. */
  unitsPerPixel(): number;
  /** A piece was taken up from a square, and put down on another one; null if beside the board. */
  lifted(square: string): void;
  dropped(from: string, to: string | null): void;
}

/** A piece that is dragged over the board: a pick where it is taken up, and another one where it is put down. */
export class Drag {
  /** The square whose piece follows the pointer, and how far it has gone, in the board's units. */
  from: string | null = $state(null);
  x = $state(0);
  y = $state(0);
  #down: { square: string; x: number; y: number } | null = null;
  #listening = new AbortController();
  #justDropped = false;

  constructor(private readonly dragger: Dragger) {}

  /** A pointer went down where a piece can be taken up. */
  press(event: PointerEvent, square: string): void {
    this.#justDropped = false;
    if (!event.isPrimary || event.button !== 0) return;
    this.cancel();
    this.#down = { square, x: event.clientX, y: event.clientY };
    // What happens to this pointer is told to the square, wherever on the screen it goes.
    const target = event.currentTarget as SVGElement;
    target.setPointerCapture(event.pointerId);
    const { signal } = this.#listening;
    target.addEventListener("pointermove", (moved) => this.#move(moved), { signal });
    target.addEventListener("pointerup", (up) => this.#release(up), { signal });
    target.addEventListener("pointercancel", () => this.#giveUp(), { signal });
  }

  /** A finger that is on a piece drags it, and moves neither the page nor the board. */
  readonly hold = (event: TouchEvent): void => {
    if (this.#down !== null && event.cancelable) event.preventDefault();
  };

  cancel(): void {
    this.#listening.abort();
    this.#listening = new AbortController();
    this.#down = null;
    this.from = null;
    this.x = this.y = 0;
  }

  /** Whether a click is more than the end of a drag; asked once for each click. */
  wasClick(): boolean {
    const click = !this.#justDropped;
    this.#justDropped = false;
    return click;
  }

  #move(event: PointerEvent): void {
    const down = this.#down;
    if (down === null || !event.isPrimary) return;
    const [x, y] = [event.clientX - down.x, event.clientY - down.y];
    if (this.from === null) {
      if (Math.hypot(x, y) < STILL) return;
      this.from = down.square;
      this.dragger.lifted(down.square);
    }
    const scale = this.dragger.unitsPerPixel();
    this.x = x * scale;
    this.y = y * scale;
  }

  #release(event: PointerEvent): void {
    const dragged = this.from;
    this.cancel();
    if (dragged === null) return;
    this.#justDropped = true;
    this.dragger.dropped(dragged, this.dragger.squareAt(event.clientX, event.clientY));
  }

  #giveUp(): void {
    const dragged = this.from;
    this.cancel();
    if (dragged !== null) this.dragger.dropped(dragged, null);
  }
}
