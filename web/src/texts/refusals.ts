/** What the page says when the server refuses something, by the code of it; some say the server's own reason as well. */
export type Refusals = Readonly<Record<string, string | ((reason: string) => string)>>;

/** The server speaks English itself, and knows more than a code can say. */
export const refusals: Refusals = {};
