/** What those see who sit or watch at a table: it is fetched for them, and not for the small boards of the lobby. */
export { default as CapturedPanel } from "./CapturedPanel.svelte";
export { default as Controls } from "./Controls.svelte";
export { default as LastingPanel } from "./LastingPanel.svelte";
