/** What this browser's person has chosen, and what is usual for all else. */
export function keptChoices<Choices extends object>(key: string, usual: Choices): Choices {
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<Choices>) };
  } catch {
    return usual;
  }
}

export function keepChoices(key: string, choices: object): void {
  try {
    localStorage.setItem(key, JSON.stringify(choices));
  } catch {
    // Private windows may have no storage: the choice then lasts as long as the page.
  }
}
