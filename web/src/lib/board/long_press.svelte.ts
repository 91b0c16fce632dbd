const LONG = 450;
/** Pixels by which a finger may move that rests. */
const STILL = 10;

/** A finger that rests on a square asks about it, and does nothing else. */
export class LongPress {
  /** The square that is asked about. */
  square: string | null = $state(null);
  #down: { x: number; y: number } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #long = false;

  begin(event: PointerEvent, square: string): void {
    this.end();
    this.#long = false;
    this.#down = { x: event.clientX, y: event.clientY };
    this.#timer = setTimeout(() => {
      this.square = square;
      this.#long = true;
    }, LONG);
    addEventListener("pointermove", this.#moved);
    addEventListener("pointerup", this.#lifted);
    addEventListener("pointercancel", this.#lifted);
  }

  /** Whether the click that comes now is the end of a long press. */
  wasLong(): boolean {
    const long = this.#long;
    this.#long = false;
    return long;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#down = null;
    this.square = null;
    removeEventListener("pointermove", this.#moved);
    removeEventListener("pointerup", this.#lifted);
    removeEventListener("pointercancel", this.#lifted);
  }

  readonly #lifted = (): void => this.end();

  readonly #moved = ({ clientX, clientY }: PointerEvent): void => {
    if (this.#down === null || Math.hypot(clientX - this.#down.x, clientY - this.#down.y) < STILL) return;
    this.#long = false;
    this.end();
  };
}
