import type { Words } from "../../texts/words.ts";

export const rulesWords: Words<typeof import("./how_to_play_texts.ts").rulesWords> = {
  shortRules: [
    "Leg einen deiner Steine. Zwei, die sich berühren, gründen eine Hotelkette, und du bekommst eine Aktie davon geschenkt.",
    "Dann kauf bis zu drei Aktien. Je größer eine Kette, desto teurer.",
    "Ein Stein zwischen zwei Ketten fusioniert sie: Die größere schluckt die kleinere, deren zwei größte Aktionäre einen Bonus bekommen.",
    "Am Ende gewinnt, wer am meisten wert ist.",
  ],
  pictures: {
    tiles: "Einzelne Steine sind Häuser. Deine eigenen sechs liegen unter dem Brett, und ihr Platz ist darauf markiert.",
    found: "Ein Stein neben einem einzelnen gründet eine Kette. Wer ihn gelegt hat, wählt, welche: Hier ist es Luxor.",
    merge: "Ein Stein zwischen Luxor und Imperial fusioniert sie. Imperial ist größer und schluckt Luxor.",
    safe: "Zwei Ketten mit Schloss haben elf Steine oder mehr: Sie sind sicher. Was zwischen ihnen liegt, kann nie gelegt werden.",
  },
  fullRules: [
    "Jeder beginnt mit 6.000\u00a0$ und sechs Steinen. In deinem Zug legst du einen Stein, kaufst höchstens drei Aktien und ziehst einen Stein nach. Wer keinen seiner Steine legen kann, kauft trotzdem.",
    "Von jeder Kette gibt es 25 Aktien. Luxor und Tower sind die billigsten; American, Festival und Worldwide kosten 100\u00a0$ mehr, Continental und Imperial 200\u00a0$ mehr. Eine Aktie einer Kette aus zwei Steinen kostet 200 bis 400\u00a0$; der Preis wächst mit der Kette, bis zu 41 Steinen.",
    "Bei einer Fusion überlebt die größte Kette; sind mehrere gleich groß, wählt, wer den Stein gelegt hat. Der größte Aktionär jeder geschluckten Kette bekommt das Zehnfache ihres Preises, der zweitgrößte das Fünffache. Bei Gleichstand wird geteilt: Sind mehrere Erste, gehen beide Boni an sie. Hält nur einer Aktien, bekommt er beide.",
    "Dann ist jeder dran, der Aktien der geschluckten Kette hat, zuerst, wer den Stein gelegt hat: Er tauscht sie zwei gegen eine der überlebenden, verkauft sie zum alten Preis oder behält sie, denn die Kette kann neu gegründet werden.",
    "Eine Kette aus elf Steinen ist sicher und wird nie geschluckt. Ein Stein, der zwei sichere Ketten fusionieren würde, ist tot: Er wird am Ende des Zuges beiseitegelegt und ersetzt. Solange alle sieben Ketten auf dem Brett sind, kann kein Stein eine weitere gründen.",
    "Wer kauft, darf das Spiel beenden, wenn eine Kette 41 Steine hat oder alle Ketten auf dem Brett sicher sind. Es endet auch, wenn alle Steine gelegt sind oder eine ganze Runde lang niemand legen konnte. Dann werden Geld, Aktien und die Boni aller Ketten zusammengezählt.",
    "In Teams zählt zusammen, was die Partner wert sind. Sie sehen die Steine ihrer Partner nicht und ziehen abwechselnd mit den anderen Teams.",
    "Läuft deine Uhr ab, handelt der Server dieses eine Mal für dich: Er legt deinen ersten Stein, wählt die erste Kette, behält Aktien und kauft nichts. Wer ein laufendes Spiel verlässt, gibt es auf, und der Server handelt bis zum Ende für ihn.",
    "Ein beendetes Spiel gibt es als Datei, und damit kann man es nachspielen: Zieh sie auf diese Seite, oder füge sie hier ein.",
  ],
  advice:
    "Der zweite Platz ist halb so viel wert wie der erste, der dritte gar nichts. Gründe früh Ketten, und behalte genug Geld für die Fusion, die du kommen siehst.",
};
