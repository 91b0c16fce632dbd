import { lessonOf } from "../lesson.ts";
import positions from "./lesson.json";
import { words } from "./lesson_texts.ts";

export const lesson = lessonOf(positions, words);
