import { untrack } from "svelte";

import { show } from "../../lib/attention.ts";
import { calm } from "../../lib/board/motion.ts";
import { hall } from "../../lib/hall/hall.svelte.ts";
import { wasAt } from "../../lib/last_game.ts";
import { notifyOfTurn } from "../../lib/notifications.ts";
import { router } from "../../lib/router.svelte.ts";
import * as sounds from "../../lib/sound/sounds.ts";
import { toasts } from "../../lib/toasts.svelte.ts";
import type { Happening } from "../../lib/wire/happenings.ts";
import { texts } from "../../texts/index.ts";
import { keepAddress } from "./address.svelte.ts";
import { announcement, ending } from "./announcing.ts";
import type { AtTable } from "./at_table.svelte.ts";
import { headline } from "./headline.ts";
import { pathTo } from "./links.ts";
import { seatTaken } from "./removing.ts";

const STEP = 90;
const WHOLE = 1500;
const LINGERING = 150;

/** What goes along with a table: missed moves are played in, events are spoken and heard, the title follows. */
export function accompany(at: AtTable, position: () => number | null): { readonly text: string } {
  let text = $state("");
  let heard = -1;
  let first: Happening | undefined;

  // Moves come onto the board: one at once, several quickly one after the other.
  // Whoever comes into a game sees it as it stands: nothing moves that nobody has moved just now.
  $effect.pre(() => {
    if (at.last >= 0 && untrack(() => at.shown) < 0) at.shown = at.last;
  });
  $effect(() => {
    const last = at.last;
    const missing = last - untrack(() => at.shown);
    if (missing <= 1 || calm() || document.hidden) {
      at.shown = last;
      return;
    }
    const pace = Math.min(STEP, WHOLE / missing);
    const timer = setInterval(() => {
      at.shown = Math.min(at.shown + 1, last);
      if (at.shown >= last) clearInterval(timer);
    }, pace);
    at.shown += 1;
    return () => clearInterval(timer);
  });

  const game = $derived(at.table?.game);
  $effect(() => {
    if (game !== undefined) wasAt(game);
  });

  // The move that one looks at may be taken back: then the newest is seen.
  $effect(() => {
    if (at.looking !== null && at.looking >= at.last) at.looking = null;
  });

  // Whoever is to go on, or is to move again soon, need not wait for the answer to what is on the board already.
  $effect(() => {
    if (at.happened) untrack(() => at.chooseAnew());
  });

  // A link to a position opens there.
  $effect(() => {
    const wanted = position();
    if (wanted !== null && at.table !== null && at.game !== null) untrack(() => at.look(wanted));
  });

  // A move is heard when it begins to be seen.
  $effect(() => {
    if (at.playback.begun > 0 && !untrack(() => at.reviewing)) sounds.click();
  });
  // What is seen on the way is heard, too.
  $effect(() => {
    const { frame } = at.playback;
    const higher = frame === null ? null : untrack(() => at.game?.heard?.(frame.state) ?? null);
    if (higher !== null) sounds.click(higher);
  });

  // What happened is announced once the board shows it.
  $effect(() => {
    const table = at.newest;
    if (table === null || !at.settled) return;
    at.seen = table.positions.length;
    const log = table.log;
    // What is told once more, as somebody else sees it, was heard already.
    const fresh = heard < 0 || log[0] !== first ? [] : log.slice(heard);
    heard = log.length;
    first = log[0];
    const lines = fresh.flatMap((event) => announcement(table, at.game, event, at.seat) ?? []);
    const played = fresh.some((event) => event.type === "played");
    untrack(() => {
      if (fresh.length > 0) text = [...lines, headline(at), ...(played ? ending(at) : [])].join(" ");
      const stood = fresh.find((event) => event.type === "stood" && event.person === hall.me.id);
      const taken = stood?.type === "stood" ? seatTaken(log, stood) : null;
      if (taken !== null) toasts.say(taken);
      const declined = fresh.find((event) => event.type === "draw_declined");
      if (declined !== undefined && at.seat !== null && declined.seat !== at.seat) {
        toasts.say(texts.happened.drawDeclined(at.name(declined.seat)));
      }
      if (played && table.phase === "over") sounds.end();
    });
  });

  // What may be done depends on the moves alone, not on what else happens at the table.
  const lastPlay = $derived(at.table?.lastPlay);
  $effect(() => {
    void lastPlay;
    if (at.needsTelling) void untrack(() => at.learnActions());
  });
  // In a review one passes by many positions: only where one stays is it asked.
  $effect(() => {
    void at.review.done;
    if (!at.review.needsTelling) return;
    const timer = setTimeout(() => void untrack(() => at.review.learnActions()), LINGERING);
    return () => clearTimeout(timer);
  });
  $effect(() => {
    void at.choosing.picks;
    untrack(() => at.choosing.forgetImpossible());
  });

  $effect(() => {
    if (!at.myTurn) return;
    untrack(() => {
      sounds.yourTurn();
      void notifyOfTurn(at.store.id, at.traits?.title ?? "");
    });
  });

  $effect(() => {
    show(headline(at), at.myTurn ? (at.table?.game ?? null) : null);
    return () => show("", null);
  });

  keepAddress(at);

  // The rematch is at another table, and everybody goes there together. Whoever comes back to look at this one stays.
  const known = untrack(() => at.store.movedTo);
  $effect(() => {
    const next = at.store.movedTo;
    if (next !== null && next !== known) router.go(pathTo(at, next), "replace");
  });

  return {
    get text() {
      return text;
    },
  };
}
