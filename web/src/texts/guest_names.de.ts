import type { Words } from "./words.ts";

/** All of one gender, so that every ending is right. */
export const guestNames: Words<typeof import("./guest_names.ts").guestNames> = {
  first: [
    "Emsiger", "Flinker", "Frecher", "Freundlicher", "Froher", "Geduldiger", "Goldener", "Heiterer", "Kluger", "Lebhafter",
    "Lieber", "Lustiger", "Munterer", "Mutiger", "Neugieriger", "Ruhiger", "Sanfter", "Schlauer", "Schneller", "Silberner",
    "Sonniger", "Stiller", "Stolzer", "Tapferer", "Treuer", "Wacher", "Wandernder", "Weiser", "Wendiger", "Witziger",
  ],
  second: [
    "Biber", "Dachs", "Delfin", "Falke", "Fink", "Fuchs", "Gecko", "Hamster", "Hase", "Igel", "Kranich", "Luchs", "Marder",
    "Molch", "Otter", "Panda", "Papagei", "Pelikan", "Pinguin", "Rabe", "Reiher", "Schwan", "Seehund", "Spatz", "Specht",
    "Star", "Steinbock", "Storch", "Tapir", "Uhu",
  ],
};
