/** What a team is called, by its number from 0: the same letter wherever somebody reads of it. */
export const teamLetter = (team: number): string => String.fromCharCode(65 + team);
