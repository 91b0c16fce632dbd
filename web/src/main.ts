import "./styles/tokens.css";
import "./styles/base.css";

import { mount } from "svelte";

import App from "./App.svelte";
import { faults } from "./lib/faults.ts";
import { hall } from "./lib/hall/hall.svelte.ts";
import { router } from "./lib/router.svelte.ts";
import { settings } from "./lib/settings.svelte.ts";
import { allowSoundOnFirstTouch } from "./lib/sound/sounds.ts";

faults.listen();
settings.apply();
router.start();
hall.start();
allowSoundOnFirstTouch();
mount(App, { target: document.getElementById("app")! });
