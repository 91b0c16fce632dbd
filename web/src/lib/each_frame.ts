/** Gathers what comes and takes it together, once for each picture that the screen shows. */
export class EachFrame<Item> {
  #waiting: Item[] = [];
  #asked: number | null = null;

  constructor(private readonly take: (item: Item) => void) {}

  add(item: Item): void {
    this.#waiting.push(item);
    // What nobody can see is shown no pictures.
    if (document.hidden) this.now();
    else this.#asked ??= requestAnimationFrame(() => this.now());
  }

  now(): void {
    if (this.#asked !== null) cancelAnimationFrame(this.#asked);
    this.#asked = null;
    for (const item of this.#waiting.splice(0)) this.take(item);
  }
}
