const AT_LAST = 2000;
const WITHOUT_KNOWING = 200;

/** Does something that can wait once there is nothing more urgent. Not every browser says when that is. */
export function whenIdle(work: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(work, { timeout: AT_LAST });
  else setTimeout(work, WITHOUT_KNOWING);
}
