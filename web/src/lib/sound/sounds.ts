import { settings } from "../settings.svelte.ts";

let context: AudioContext | null = null;
/** Everything is heard through it, as loud as somebody wants it. */
let master: GainNode | null = null;
/** When the last click was heard, by the clock of the sound: two at the same time are one. */
let clicked = -1;
const APART = 0.02;
/** The steps of a scale in which any two sound well together, in half tones. */
const SCALE = [0, 2, 4, 7, 9];
const HIGHEST = 20;

/** Browsers allow sound only after somebody has touched the page; until then everything here is silent. */
export function allowSoundOnFirstTouch(): void {
  const allow = () => {
    context ??= new AudioContext();
    removeEventListener("pointerdown", allow);
    removeEventListener("keydown", allow);
  };
  addEventListener("pointerdown", allow);
  addEventListener("keydown", allow);
}

function playing(): AudioContext | null {
  if (context === null || settings.muted || settings.volume === 0) return null;
  if (context.state === "suspended") void context.resume();
  return context;
}

function out(audio: AudioContext): AudioNode {
  if (master === null) {
    master = audio.createGain();
    master.connect(audio.destination);
  }
  // Half as loud to the ear is much less than half for the air.
  master.gain.value = (settings.volume / 100) ** 2;
  return master;
}

function note(audio: AudioContext, pitch: number, at: number, length: number, loudness: number): void {
  const [oscillator, gain] = [audio.createOscillator(), audio.createGain()];
  oscillator.type = "triangle";
  oscillator.frequency.value = pitch;
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loudness, at + 0.015);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  oscillator.connect(gain).connect(out(audio));
  oscillator.start(at);
  oscillator.stop(at + length);
}

/**
 * Wood on wood: a very short burst of noise through a narrow filter, and the body of the board under it. So many steps
 * higher in a cascade.
 */
export function click(higher = 0): void {
  const audio = playing();
  if (audio === null || audio.currentTime - clicked < APART) return;
  const now = (clicked = audio.currentTime);
  const step = Math.min(higher, HIGHEST);
  const raised = 2 ** (Math.floor(step / SCALE.length) + SCALE[step % SCALE.length]! / 12);
  const length = Math.floor(audio.sampleRate * 0.04);
  const buffer = audio.createBuffer(1, length, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < length; index++) {
    samples[index] = (Math.random() * 2 - 1) * Math.exp((-7 * index) / length);
  }
  const [source, filter, gain] = [audio.createBufferSource(), audio.createBiquadFilter(), audio.createGain()];
  source.buffer = buffer;
  filter.type = "bandpass";
  filter.frequency.value = 1900 * Math.sqrt(raised);
  filter.Q.value = 2.5;
  gain.gain.value = 0.5;
  source.connect(filter).connect(gain).connect(out(audio));
  source.start(now);
  note(audio, 210 * raised, now, 0.09, 0.16);
}

/** Two soft notes: your turn. */
export function yourTurn(): void {
  const audio = playing();
  if (audio === null) return;
  note(audio, 587.33, audio.currentTime + 0.08, 0.3, 0.1);
  note(audio, 783.99, audio.currentTime + 0.22, 0.4, 0.1);
}

/** One chord: the end. */
export function end(): void {
  const audio = playing();
  if (audio === null) return;
  for (const pitch of [261.63, 329.63, 392, 523.25]) note(audio, pitch, audio.currentTime + 0.1, 1.4, 0.07);
}
