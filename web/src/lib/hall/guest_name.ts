const FIRST = [
  "Amber", "Brave", "Calm", "Clever", "Curious", "Early", "Gentle", "Golden", "Happy", "Hidden", "Honest",
  "Jolly", "Kind", "Lively", "Lucky", "Merry", "Nimble", "Patient", "Proud", "Quick", "Quiet", "Silver",
  "Steady", "Sunny", "Swift", "Tidy", "Warm", "Wandering", "Witty", "Wise",
];
const SECOND = [
  "Badger", "Beaver", "Bee", "Crane", "Cricket", "Falcon", "Fox", "Gecko", "Hare", "Heron", "Ibex", "Jay",
  "Kestrel", "Lark", "Lynx", "Magpie", "Marten", "Newt", "Otter", "Owl", "Panda", "Puffin", "Raven", "Robin",
  "Seal", "Sparrow", "Stork", "Swan", "Tapir", "Wren",
];

/** Two friendly words; the server adds a number if those are taken. */
export function guestName(random: () => number): string {
  const pick = (words: string[]) => words[Math.floor(random() * words.length)] ?? "";
  return `${pick(FIRST)} ${pick(SECOND)}`;
}
