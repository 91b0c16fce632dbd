import type { Words } from "../../texts/words.ts";

export const rulesWords: Words<typeof import("./how_to_play_texts.ts").rulesWords> = {
  shortRules: [
    "Figuren ziehen wie im Schach. Schach gibt es nicht: Wer den gegnerischen König schlägt, hat gewonnen.",
    "Alle zwei bis vier Züge kommt eine Kiste in die Mitte des Bretts. Lande darauf und wähle eine von zwei Kräften.",
    "Du musst eine davon sofort einsetzen. Die andere Seite sieht, welche du eingesetzt hast, aber nie die zweite.",
    "Blaugraue Kisten sind gewöhnlich, violette selten, goldene legendär.",
  ],
  pictures: {
    boxes: "Jede Figur, die auf einer Kiste landet, nimmt sie; wer nur darüberzieht, nicht. Bauern nehmen Kisten auch schräg.",
    shield: "Ein Ring: Die Figur kann nicht geschlagen werden. Jeder Strich ist ein Zug einer der beiden Seiten, der noch bleibt.",
    energized: "Winkel: Bauern mit Schwung ziehen beliebig weit auf ihrer Linie, vor und zurück. Die Leiter daneben zählt herunter.",
    awake: "Ein Leuchten: Eine erwachte Figur, hier ein Bauer, handelt als Dame. Was sie wirklich ist, steht daneben.",
    net: "Ein gepunkteter Kreis: ein Fangnetz. Der Turm nimmt den Platz des Läufers, und der Läufer geht unversehrt heim.",
    hole: "Ein schwarzes Loch: Dort landet nichts. Der Turm schlägt den Springer dahinter trotzdem, denn Figuren ziehen über Löcher und Kisten.",
  },
  fullRules: [
    "Könige dürfen ins Schach ziehen, nebeneinander stehen und werden geschlagen wie alle. Wer mehrere Könige hat, verliert mit dem letzten. Gehen die letzten Könige beider Seiten zugleich, ist es unentschieden.",
    "Bauern ziehen von ihrer zweiten Reihe zwei Felder weit, wie sie auch dorthin kamen. Kisten nehmen sie geradeaus und schräg. En passant geht nur im allernächsten Zug, aber nicht durch „Zweiter Anlauf“.",
    "Für die Rochade dürfen König und Turm nie gezogen haben, zwischen ihnen darf nichts stehen, und wo sie landen, darf weder Kiste noch Loch sein. Angriffe stören nicht.",
    "Kisten kommen auf die dritte bis sechste Reihe, öfter in die Mitte. Von hundert sind 70 gewöhnlich, 25 selten und 5 legendär. Dir werden zwei verschiedene Kräfte angeboten, die du auch einsetzen kannst.",
    "„Diese Figur“ ist die Figur, die die Kiste genommen hat. Was anhält, wird in Zügen beider Seiten gezählt, geht mit seiner Figur mit und beginnt von vorn, wenn du dieselbe Kraft noch einmal einsetzt. Solange du eine Kraft einsetzt, wird nichts heruntergezählt.",
    "Was unverwundbar ist, kann weder geschlagen noch zerstört werden. Es kann aber heimgeschickt, getauscht und zurückgenommen werden.",
    "Wo eine Figur auf eine Grundreihe geht, lost der Zufall eines der freien Felder dort aus. Gibt es keines, rettet kein Netz, kommt kein Klon, und niemand kann heimgeschickt werden.",
    "Für „Auge um Auge“ zählen Bauern 1, Springer und Läufer 3, Türme 5, Damen 9 und Könige 10. Was zerstört wird, ist nicht geschlagen und kann nicht wiederbelebt werden.",
    "Hat jemand gar keinen Zug, ist das Spiel unentschieden. Durch Wiederholung wird es nie unentschieden. Bietest du ein Unentschieden an, gilt das Angebot, bis die andere Seite zieht.",
    "Zeig auf ein Feld oder halte den Finger darauf, um zu lesen, was dort liegt und wie lange es anhält. Läuft deine Uhr ab, hast du verloren; ein Zug und eine Kraft bringen je die Sekunden deiner Uhr dazu.",
  ],
};
