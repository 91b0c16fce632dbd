import { beforeEach, describe, expect, it, vi } from "vitest";

/** As much of the browser's sound as is used, which notes how loud everything is together. */
class Audio {
  currentTime = 1;
  sampleRate = 1000;
  state = "running";
  destination = {};
  started = 0;
  master: { gain: { value: number } } | null = null;

  createGain() {
    const node = {
      gain: { value: 1, setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} },
      connect: (to: unknown) => {
        if (to === this.destination) this.master = node;
        return to;
      },
    };
    return node;
  }
  createOscillator() {
    return { ...this.#source(), type: "", frequency: { value: 0 }, stop() {} };
  }
  createBufferSource() {
    return { ...this.#source(), buffer: null };
  }
  createBiquadFilter() {
    return { type: "", frequency: { value: 0 }, Q: { value: 0 }, connect: (to: unknown) => to };
  }
  createBuffer(_: number, length: number) {
    return { getChannelData: () => new Float32Array(length) };
  }
  #source() {
    return { connect: (to: unknown) => to, start: () => (this.started += 1) };
  }
}

describe("sounds", () => {
  let audio: Audio;

  beforeEach(() => {
    vi.resetModules();
    audio = new Audio();
    const touched: (() => void)[] = [];
    vi.stubGlobal("AudioContext", function () {
      return audio;
    });
    vi.stubGlobal("addEventListener", (_: string, touch: () => void) => touched.push(touch));
    vi.stubGlobal("removeEventListener", () => undefined);
    const root = { removeAttribute() {}, setAttribute() {} };
    vi.stubGlobal("document", { documentElement: root });
    return import("../src/lib/sound/sounds.ts").then(({ allowSoundOnFirstTouch }) => {
      allowSoundOnFirstTouch();
      touched[0]!();
    });
  });

  it("are as loud as somebody wants them, from the next one on", async () => {
    const { settings } = await import("../src/lib/settings.svelte.ts");
    const { end } = await import("../src/lib/sound/sounds.ts");
    end();
    expect(audio.master?.gain.value).toBe(1);
    settings.choose({ volume: 50 });
    end();
    expect(audio.master?.gain.value).toBe(0.25);
  });

  it("are not made at all if nobody would hear them", async () => {
    const { settings } = await import("../src/lib/settings.svelte.ts");
    const { yourTurn } = await import("../src/lib/sound/sounds.ts");
    for (const silent of [{ volume: 0 }, { muted: true, volume: 100 }]) {
      settings.choose(silent);
      yourTurn();
    }
    expect(audio.started).toBe(0);
    settings.choose({ muted: false });
    yourTurn();
    expect(audio.started).toBe(2);
  });
});
