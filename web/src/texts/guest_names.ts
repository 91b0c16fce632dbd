/** Two friendly words for whoever has not said a name: every first goes with every second. */
export const guestNames = {
  first: [
    "Amber", "Brave", "Calm", "Clever", "Curious", "Early", "Gentle", "Golden", "Happy", "Hidden", "Honest",
    "Jolly", "Kind", "Lively", "Lucky", "Merry", "Nimble", "Patient", "Proud", "Quick", "Quiet", "Silver",
    "Steady", "Sunny", "Swift", "Tidy", "Warm", "Wandering", "Witty", "Wise",
  ],
  second: [
    "Badger", "Beaver", "Bee", "Crane", "Cricket", "Falcon", "Fox", "Gecko", "Hare", "Heron", "Ibex", "Jay",
    "Kestrel", "Lark", "Lynx", "Magpie", "Marten", "Newt", "Otter", "Owl", "Panda", "Puffin", "Raven", "Robin",
    "Seal", "Sparrow", "Stork", "Swan", "Tapir", "Wren",
  ],
};
