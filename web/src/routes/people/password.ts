import { texts } from "../../texts/index.ts";

const [SHORTEST, LONGEST] = [8, 256];

/** Why this cannot be the password of an account, as the server would say it; null if it can. */
export function passwordProblem(password: string): string | null {
  // As the server counts: composed, and by characters.
  const length = [...password.normalize("NFC")].length;
  if (length === 0) return texts.fields.missing;
  if (length < SHORTEST) return texts.people.passwordShort(SHORTEST, length);
  return length > LONGEST ? texts.people.passwordLong(LONGEST) : null;
}
