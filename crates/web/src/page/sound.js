// Sounds, synthesised with the Web Audio API.
// @ts-check

import { preferences } from "./preferences.js";

/** The sounds of a stone. */
export const STONES = ["wood", "glass", "soft"];

/** @type {AudioContext | undefined} */
let context;
/** @type {GainNode | undefined} The master volume. */
let volume;

/** The output of sounds; none before the first click or key, when browsers allow no sound. */
function audio() {
  if (!preferences.sound || !navigator.userActivation?.hasBeenActive) return undefined;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  if (!volume) {
    volume = context.createGain();
    volume.connect(context.destination);
  }
  // Loudness is not linear: this makes half of the slider sound half as loud.
  volume.gain.value = (preferences.volume / 100) ** 2;
  return volume;
}

/**
 * A tone that fades away.
 * @param {GainNode} out
 * @param {number} frequency
 * @param {number} delay Seconds from now.
 * @param {number} length In seconds.
 * @param {number} loudness
 */
function tone(out, frequency, delay, length, loudness) {
  const { context: audio } = out;
  const start = audio.currentTime + delay;
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0.0001, start);
  gain.gain.exponentialRampToValueAtTime(loudness, start + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  const source = audio.createOscillator();
  source.type = "triangle";
  source.frequency.value = frequency;
  source.connect(gain).connect(out);
  source.start(start);
  source.stop(start + length);
}

export function stoneSound() {
  const out = audio();
  if (!out) return;
  if (preferences.stone === "glass") {
    tone(out, 1760, 0, 0.12, 0.16);
    tone(out, 2640, 0, 0.2, 0.07);
    return;
  }
  if (preferences.stone !== "soft") clatter(out);
  tone(out, 190, 0, 0.09, 0.25);
}

/**
 * Wood on wood: a short burst of noise.
 * @param {GainNode} out
 */
function clatter(out) {
  const { context: audio } = out;
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * 0.05), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) {
    samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length) ** 6;
  }
  const noise = audio.createBufferSource();
  noise.buffer = buffer;
  const filter = audio.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = 1900;
  const gain = audio.createGain();
  gain.gain.value = 0.7;
  noise.connect(filter).connect(gain).connect(out);
  noise.start();
}

/** @param {boolean} won True if the game was won. */
export function endSound(won) {
  const out = audio();
  if (!out) return;
  const notes = won ? [523, 659, 784, 1047] : [440, 392];
  notes.forEach((note, i) => tone(out, note, 0.1 + i * 0.11, 0.35, 0.2));
}

export function clockSound() {
  const out = audio();
  if (out) tone(out, 880, 0, 0.06, 0.12);
}

export function notificationSound() {
  const out = audio();
  if (!out) return;
  [659, 880].forEach((note, i) => tone(out, note, i * 0.14, 0.4, 0.2));
}

export function refusalSound() {
  const out = audio();
  if (out) tone(out, 160, 0, 0.12, 0.2);
}
