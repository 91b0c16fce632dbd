/// <reference lib="webworker" />

import type { FromWorker, ToWorker, Turn } from "./messages.ts";

/** What is in this build of the page: all its files, by language. The build fills it in (`build.ts`). */
declare const PAGE: { version: string; files: Readonly<Record<string, readonly string[]>> };

/** The service worker: the page opens without a network, keeps the parts of its own version, and calls to a turn. */
const worker = self as unknown as ServiceWorkerGlobalScope;

const { version, files: byLanguage } = PAGE;
const OURS = "gamut ";
const CACHE = OURS + version;
/** The page itself, whatever the address: it finds out from that what to show. */
const SHELL = "/";
const HASHED = "/assets/";
/** Never answered from here: what the server says now is the truth. */
const SERVER = "/api/";
const ALL = new Set(Object.values(byLanguage).flat());

worker.addEventListener("install", (event) => event.waitUntil(keep()));
// For pages that were open before the first worker. No worker takes over from another while pages are open: Chromium was seen
// to end the old one together with the page that it was just loading, which then never came.
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || pathname.startsWith(SERVER)) return;
  if (request.mode === "navigate") event.respondWith(opened(event));
  else if (pathname.startsWith(HASHED)) event.respondWith(part(request));
  else if (ALL.has(pathname)) event.respondWith(fetch(request).catch(() => kept(pathname)));
});

/** The page in the language of whoever is here, and all its parts. Fails if another version is being served by now. */
async function keep(): Promise<void> {
  const shell = await fetch(SHELL, { cache: "no-cache" });
  const files = byLanguage[shell.headers.get("Content-Language") ?? ""];
  const html = await shell.clone().text();
  const linked = [...html.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  if (!shell.ok || files === undefined || !linked.every((path) => files.includes(path))) throw new Error("another version");
  const cache = await caches.open(CACHE);
  await cache.addAll(files);
  await cache.put(SHELL, shell);
  await dropOld();
}

/** Old versions go, but for the last one: a tab that still has it open may need more parts of it. */
async function dropOld(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== CACHE);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
}

/** The newest page if the server answers; else the one that is kept, which says that the server is away. */
async function opened(event: FetchEvent): Promise<Response> {
  let answer: Response | undefined;
  try {
    answer = await fetch(event.request);
  } catch {
    return kept(SHELL);
  }
  // A proxy says so when there is nobody behind it.
  if (answer.status >= 502 && answer.status <= 504) {
    const shell = await kept(SHELL);
    return shell.ok ? shell : answer;
  }
  event.waitUntil(keepLanguage(answer.headers.get("Content-Language")));
  return answer;
}

/** Whoever has chosen another language has the page in that one next time, too. */
async function keepLanguage(language: string | null): Promise<void> {
  const shell = await kept(SHELL);
  // If it fails, what was kept stays.
  if (language !== null && shell.headers.get("Content-Language") !== language) await keep().catch(() => undefined);
}

/** Its name says what is in it: any copy will do. */
async function part(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

async function kept(path: string): Promise<Response> {
  const own = await (await caches.open(CACHE)).match(path, { ignoreVary: true });
  return own ?? (await caches.match(path, { ignoreVary: true })) ?? Response.error();
}

worker.addEventListener("message", (event) => {
  const said = event.data as ToWorker;
  if (said.type === "whose") event.ports[0]?.postMessage(ALL.has(said.script));
  if (said.type === "turn") event.waitUntil(next(() => callToTurn(said, (event.source as Client | null)?.id)));
  if (said.type === "seen") event.waitUntil(next(forgetCalls));
});

/** One after the other, or a call that is about to be shown would outlast that it was seen. */
let last: Promise<void> = Promise.resolve();

function next(step: () => Promise<void>): Promise<void> {
  last = last.then(step, step);
  return last;
}

async function forgetCalls(): Promise<void> {
  for (const notification of await worker.registration.getNotifications()) notification.close();
}

const tabs = () => worker.clients.matchAll({ type: "window", includeUncontrolled: true });

/** A tab calls that nobody looks at; only if nobody looks at another one. One call for each table, the newest. */
async function callToTurn({ table, title, body }: Turn, tab: string | undefined): Promise<void> {
  if ((await tabs()).some(({ id, visibilityState }) => id !== tab && visibilityState === "visible")) return;
  await worker.registration.showNotification(title, { body, icon: "/icon-192.png", tag: table, data: { table, tab } });
}

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { table, tab } = event.notification.data as { table: string; tab: string | undefined };
  event.waitUntil(show(`/t/${table}`, tab));
});

/** In the tab that is at the table; else in the one that called, in any other, or in a new one. */
async function show(path: string, caller: string | undefined): Promise<void> {
  const open = await tabs();
  const tab = open.find(({ url }) => new URL(url).pathname === path) ?? open.find(({ id }) => id === caller) ?? open[0];
  tab?.postMessage({ type: "go", path } satisfies FromWorker);
  await (tab === undefined ? worker.clients.openWindow(path) : tab.focus());
}
