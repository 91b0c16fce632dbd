import "./styles/tokens.css";
import "./styles/base.css";

import { mount } from "svelte";

import App from "./App.svelte";
import { faults } from "./lib/faults.ts";
import { hall } from "./lib/hall/hall.svelte.ts";
import { newVersion } from "./lib/new_version.svelte.ts";
import { nextTask } from "./lib/next_task.ts";
import { answerNotifications } from "./lib/notifications.ts";
import { router } from "./lib/router.svelte.ts";
import { settings } from "./lib/settings.svelte.ts";
import { allowSoundOnFirstTouch } from "./lib/sound/sounds.ts";
import { whenIdle } from "./lib/when_idle.ts";

faults.listen();
settings.start();
router.start();
hall.start();
allowSoundOnFirstTouch();
answerNotifications();
// A task of its own: all parts have just begun in this one.
nextTask(() => mount(App, { target: document.getElementById("app")! }));
// Not before what the first page needs; and never while the page is being written.
if (import.meta.env.PROD) whenIdle(() => void newVersion.start());
