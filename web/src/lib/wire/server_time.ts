const KEPT = 8;

/**
 * What time it is on the server. Each message that carries the server's time gives a sample of the difference;
 * one that was delayed makes the server look slower than it is, so the largest of the last few is the best.
 */
export class ServerTime {
  #samples: number[] = [];
  #offset = 0;

  heard(serverNow: number, localNow: number): void {
    this.#samples.push(serverNow - localNow);
    if (this.#samples.length > KEPT) this.#samples.shift();
    this.#offset = Math.max(...this.#samples);
  }

  at(localNow: number): number {
    return localNow + this.#offset;
  }

  /** After a long sleep or on another server the old samples mean nothing. */
  forget(): void {
    this.#samples = [];
  }
}
