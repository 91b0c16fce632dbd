/** Whether a key is meant for the page, and not for a field or a menu that has a use for it; nor used already. */
export function isShortcut(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return false;
  const on = event.target as HTMLElement;
  return on.closest("input:not([type=range]), textarea, select, [role=tablist], dialog, [role=menu]") === null;
}
