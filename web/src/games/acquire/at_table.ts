/** What is needed at a table only. */
export { default as Desk } from "./Desk.svelte";
export { default as ScoreSheet } from "./ScoreSheet.svelte";
