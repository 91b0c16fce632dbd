import type { PowerWords } from "./power_texts.ts";
import type { PowerName } from "./rules.ts";

export const powerWords: Readonly<Record<PowerName, PowerWords>> = {
  adjust: {
    does: "Diese Figur geht auf ein freies Feld daneben.",
    asks: "Wähle ein freies Feld neben dieser Figur.",
  },
  rewind: {
    does: "Der letzte Zug der anderen Seite wird zurückgenommen, wenn der Rückweg frei ist; Geschlagenes bleibt geschlagen.",
    asks: null,
  },
  second_effort: {
    does: "Diese Figur zieht noch einmal und darf schlagen oder eine weitere Kiste nehmen.",
    asks: "Wähle, wohin diese Figur zieht.",
  },
  shield: {
    does: "Diese Figur kann 6 Züge lang nicht geschlagen werden, oder bis sie selbst schlägt.",
    asks: null,
  },
  swap: {
    does: "Diese Figur tauscht den Platz mit einer anderen von dir.",
    asks: "Wähle die Figur, mit der sie tauscht.",
  },
  black_hole: {
    does: "Auf einem freien Feld kann 12 Züge lang nichts landen.",
    asks: "Wähle ein freies Feld.",
  },
  energize: {
    does: "10 Züge lang ziehen deine Bauern beliebig weit auf ihrer Linie, vor und zurück.",
    asks: null,
  },
  eye_for_an_eye: {
    does: "Diese Figur und eine feindliche, die nicht mehr wert ist, werden beide zerstört.",
    asks: "Wähle die feindliche Figur.",
  },
  safety_net: {
    does: "Statt geschlagen zu werden, geht diese Figur einmal auf deine Grundreihe zurück.",
    asks: null,
  },
  send_away: {
    does: "Eine Figur deiner Wahl geht auf ein freies Feld ihrer eigenen Grundreihe.",
    asks: "Wähle die Figur.",
  },
  armageddon: {
    does: "Alle Bauern werden zerstört, und 4 Züge lang kann kein König geschlagen werden.",
    asks: null,
  },
  awaken: {
    does: "Diese Figur ist 8 Züge lang eine Dame und kann in den ersten 2 nicht geschlagen werden.",
    asks: null,
  },
  clone: {
    does: "Eine zweite Figur wie diese kommt auf deine Grundreihe.",
    asks: null,
  },
  reanimate: {
    does: "Eine deiner geschlagenen Figuren, per Los, kommt auf deine Grundreihe zurück.",
    asks: null,
  },
};
