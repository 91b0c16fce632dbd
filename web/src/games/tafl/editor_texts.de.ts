import type { Words } from "../../texts/words.ts";
import type { Question } from "./editor_texts.ts";

const JUMPS = {
  n: "springt nicht",
  j: "über einen Feind",
  r: "über einen Feind, an besonderen Feldern",
  c: "über einen Feind und schlägt ihn",
};
const YES_NO = { y: "ja", n: "nein" };

export const QUESTIONS: readonly Question[] = [
  { key: "esc", title: "Der König entkommt", usual: "c", answers: { c: "in eine Ecke", e: "an den Rand" } },
  {
    key: "ks",
    title: "Der König wird geschlagen",
    usual: "s",
    answers: { s: "von vier Seiten", m: "von allen Seiten, auch am Rand", c: "beim Thron von vieren", w: "zwischen zweien" },
  },
  {
    key: "ka",
    title: "Der König beim Schlagen",
    usual: "y",
    answers: { y: "macht mit", h: "nur im Zug", a: "nur im Stehen", n: "macht nicht mit" },
  },
  { key: "atkf", title: "Es beginnen", usual: "y", answers: { y: "die Angreifer", n: "die Verteidiger" } },
  {
    key: "ber",
    title: "Nach dem Schlagen",
    usual: "n",
    answers: { n: "ist der Zug vorbei", c: "weiter, um zu schlagen", m: "weiter, wenn es geht" },
  },
  {
    key: "tfr",
    title: "Dritte Wiederholung",
    usual: "d",
    answers: { d: "ist unentschieden", w: "verliert", l: "gewinnt", i: "macht nichts" },
  },
  { key: "sw", title: "Schildwälle", usual: "n", answers: { n: "nein", w: "ja", s: "auch an Ecken" } },
  {
    key: "swf",
    title: "Wer den Wall schließt",
    usual: "y",
    answers: { y: "eine Figur am Ende", n: "jede Figur" },
    unless: { key: "sw", value: "n", usual: "n" },
  },
  { key: "efe", title: "Festungen am Rand gewinnen", usual: "n", answers: YES_NO },
  { key: "surf", title: "Eingekreiste Verteidiger verlieren", usual: "y", answers: YES_NO },
  { key: "linc", title: "Schlagen nach Linné", usual: "n", answers: YES_NO },
  { key: "kj", title: "Der König springt", usual: "n", answers: JUMPS, kind: "k" },
  { key: "cj", title: "Ein Anführer springt", usual: "j", answers: JUMPS, kind: "c" },
  { key: "nj", title: "Ein Ritter springt", usual: "c", answers: JUMPS, kind: "n" },
  { key: "mj", title: "Ein Söldner springt", usual: "n", answers: JUMPS, kind: "m" },
  { key: "gj", title: "Ein Wächter springt", usual: "n", answers: JUMPS, kind: "g" },
];

export const editorWords: Words<typeof import("./editor_texts.ts").editorWords> = {
  name: "Name",
  size: "Brett",
  bySize: (size) => `${size} mal ${size}`,
  start: "Anfang",
  put: "Aufs Brett setzen",
  nobody: "niemand",
  around: "Auf allen vier Seiten gleich",
};
