const isLost = (focused: Element | null) => focused === null || focused === document.body || focused.matches(":disabled");

/** The top of what is shown, for whoever uses the keyboard. */
function toHeading(): void {
  const heading = document.querySelector("h1");
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/**
 * After something was asked and answered: whoever uses the keyboard stays where that began, or is led to the heading
 * when that goes away by what was answered, until they go on themselves.
 */
export function keepFocus(began: Element | null): void {
  if (isLost(document.activeElement) && began instanceof HTMLElement && began.isConnected) began.focus({ preventScroll: true });
  const look = () => {
    if (isLost(document.activeElement)) toHeading();
  };
  look();
  const changes = new MutationObserver(look);
  changes.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled"] });
  const over = new AbortController();
  for (const type of ["keydown", "pointerdown"]) {
    addEventListener(type, () => over.abort(), { capture: true, once: true, signal: over.signal });
  }
  over.signal.addEventListener("abort", () => changes.disconnect());
}
