const KEY = "gamut.unnamed";

/** Which guest of this browser goes by a name that nobody chose: whoever has said a name is not asked again. */
export class Unnamed {
  /** For browsers that keep nothing. */
  #here: string | null = null;

  is(person: string | undefined): boolean {
    if (person === undefined) return false;
    try {
      return (localStorage.getItem(KEY) ?? this.#here) === person;
    } catch {
      return this.#here === person;
    }
  }

  note(person: string | null): void {
    this.#here = person;
    try {
      if (person === null) localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, person);
    } catch {
      // It is known here; the next visit may ask once more.
    }
  }
}
