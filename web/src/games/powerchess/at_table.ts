/** What those see who sit or watch at a table: it is fetched for them, and not for the small boards of the lobby. */
export { default as AtSeat } from "./AtSeat.svelte";
export { default as Controls } from "./Controls.svelte";
export { default as InPlayPanel } from "./InPlayPanel.svelte";
