import type { Words } from "../../texts/words.ts";

export const rulesWords: Words<typeof import("./how_to_play_texts.ts").rulesWords> = {
  shortRules: [
    "In der Mitte stehen die Verteidiger mit einem König, ringsum doppelt so viele Angreifer.",
    "Jede Figur zieht geradeaus, so weit sie will, über leere Felder.",
    "Zieh so, dass eine feindliche Figur zwischen zwei deiner Figuren steht: Sie ist geschlagen.",
    "Die Verteidiger gewinnen, wenn der König entkommt: in eine Ecke, in manchen Varianten an den Rand. Die Angreifer gewinnen, wenn sie ihn schlagen.",
  ],
  pictures: {
    capture: "Ein Angreifer kommt herunter: Der Verteidiger steht jetzt zwischen zwei Angreifern und ist geschlagen.",
    throne: "Der Knoten in der Mitte ist der Thron. Nur der König darf dort halten. Auf den Knoten in den Ecken entkommt er.",
    escape: "Niemand steht zwischen dem König und der Ecke: Er zieht hin, und die Verteidiger haben gewonnen.",
    shieldwall:
      "Ein Schildwall: Steine in einer Reihe am Rand werden zusammen geschlagen, wenn vor jedem und an beiden Enden ein Feind steht.",
    fort: "Eine Festung am Rand: Der König kann sich bewegen, und niemand kann je eindringen. In Copenhagen gewinnt das.",
    brandub: "Brandub, aus Irland: 7 mal 7, schnell und gut zum Lernen. Der König entkommt in eine Ecke und wird zwischen zweien geschlagen.",
    tablut: "Tablut, aus Sápmi, 1732 von Linné aufgeschrieben: 9 mal 9, der König entkommt an jeden Rand.",
    copenhagen:
      "Copenhagen: 11 mal 11, mit Schildwällen und Festungen. Das spielen heute die meisten. Der König wird von allen vier Seiten geschlagen.",
    berserk:
      "Berserk: Wer schlägt, zieht mit derselben Figur weiter, solange sie schlagen kann. Anführer (Quadrate) und ein Ritter springen.",
  },
  fullRules: [
    "Eine Figur ist geschlagen, wenn ein Feind neben sie zieht und gegenüber ein anderer Feind oder ein feindliches Feld ist. Wer selbst zwischen zwei Feinde zieht, ist sicher. Ein Zug kann mehrere schlagen.",
    "Ecken und Thron sind in den meisten Varianten feindlich: Sie helfen beim Schlagen, als stünde dort ein Feind. Zeig auf ein Feld oder halte den Finger darauf, um zu lesen, was es tut. Solange du eine Figur hältst, sind die ihr feindlichen Felder schraffiert.",
    "Wie der König geschlagen wird, hängt von der Variante ab: von allen vier Seiten, oder zwischen zweien wie alle. Am Tisch stehen sie in Worten unter „Regeln“.",
    "Kann kein Verteidiger mehr den Rand erreichen, sind die Verteidiger eingekreist und haben in den meisten Varianten verloren. Wer nicht ziehen kann, verliert. Bei der dritten Wiederholung ist das Spiel unentschieden, oder wer sie herbeiführt, verliert.",
    "Kleinere Bretter: Magpie ist Brandub mit einem König, der nur ein Feld weit zieht. Foteviken ist Tablut mit Lagern der Angreifer. In Sea Battle hilft der König nicht beim Schlagen.",
    "Größere Bretter: Fetlar ist Copenhagen ohne Schildwälle und Festungen, in Tawlbwrdd entkommt der König an den Rand, Parletts Sea Battle ist 13 mal 13, Tablut 15 heißt, wie es ist, und Alea Evangelii hat 48 gegen 24 und einen König, 19 mal 19.",
    "Eigene Regeln schreibst du als Regelzeile, wenn du einen Tisch eröffnest. Sie wird geprüft, während du schreibst. Ein Spiel (.otg) oder eine Regelzeile kannst du auch auf diese Seite ziehen oder hier einfügen.",
    "Ein Spiel aus einer Datei spielst du mit seinen Kommentaren und Varianten nach. Ist es eine Aufgabe, löst du sie: Die andere Seite antwortet, und wenn du willst, gibt es einen Hinweis.",
    "Läuft deine Uhr ab, hast du verloren.",
  ],
  advice:
    "Angreifer: Jage nicht. Schließ zuerst die Ecken und zieh dann den Ring enger. Verteidiger: Öffne eine Seite und tausche; jeder Tausch macht den Ring dünner.",
};
