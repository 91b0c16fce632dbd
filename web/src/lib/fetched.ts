/** A part of the page that is fetched when it is first needed. */
export interface Fetched<Part> {
  load(): Promise<Part>;
}

export function isFetched<Part extends object>(part: Part | Fetched<Part>): part is Fetched<Part> {
  return "load" in part;
}
