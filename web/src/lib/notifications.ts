import { texts } from "../texts/index.ts";
import type { FromWorker, ToWorker } from "../worker/messages.ts";
import { router } from "./router.svelte.ts";
import { settings } from "./settings.svelte.ts";

/** Why this page cannot notify anybody, whatever they allow; null if it can. */
export function whyNoNotifications(): "needs_https" | "unknown" | null {
  if (!window.isSecureContext) return "needs_https";
  return "Notification" in window && (byWorker() || constructible()) ? null : "unknown";
}

/** On phones only a service worker may notify. */
function byWorker(): boolean {
  return "serviceWorker" in navigator && "showNotification" in ServiceWorkerRegistration.prototype;
}

/** On phones some browsers let only a service worker notify: there the constructor is a trap. */
function constructible(): boolean {
  if (Notification.permission === "granted") return true;
  try {
    // Without the permission it shows nothing.
    new Notification("");
    return true;
  } catch {
    return false;
  }
}

export async function askToNotify(): Promise<boolean> {
  return (await Notification.requestPermission()) === "granted";
}

/** Only when the page is not being looked at, and only if it was wished for. */
export async function notifyOfTurn(table: string, gameTitle: string): Promise<void> {
  if (!settings.notify || !document.hidden || whyNoNotifications() !== null) return;
  if (Notification.permission !== "granted") return;
  const words = { title: texts.table.notifyTitle, body: texts.table.notifyBody(gameTitle) };
  const worker = byWorker() ? (await navigator.serviceWorker.getRegistration())?.active : null;
  // Somebody may have come to look meanwhile.
  if (!document.hidden) return;
  if (worker) worker.postMessage({ type: "turn", table, ...words } satisfies ToWorker);
  else notify(table, words);
}

/** Without a worker, as in browsers that forbid them. */
function notify(table: string, { title, body }: { title: string; body: string }): void {
  try {
    const notification = new Notification(title, { body, icon: "/icon-192.png", tag: table });
    notification.onclick = () => {
      window.focus();
      goToTable(`/t/${table}`);
      notification.close();
    };
  } catch (error) {
    // Allowed, but not to pages: a wish that cannot be met must not stop the game.
    console.error("No notification:", error);
    settings.choose({ notify: false });
  }
}

/** Whoever is at the table already stays as they are. */
function goToTable(path: string): void {
  if (router.path !== path && !router.path.startsWith(`${path}/`)) router.go(path);
}

/** A click on a notification leads to its table; what has been seen need not be told any more. */
export function answerNotifications(): void {
  if (!byWorker()) return;
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => goToTable(data.path));
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) void forgetNotifications();
  });
}

async function forgetNotifications(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  // For what it was told before and has yet to show.
  registration?.active?.postMessage({ type: "seen" } satisfies ToWorker);
  (await registration?.getNotifications())?.forEach((notification) => notification.close());
}
