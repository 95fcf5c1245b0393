// Short synthesized sounds, one at a time, and only if the settings allow them.

import type { Change } from "../game/changes.ts";
import { settings } from "../ui/settings.svelte.ts";

type Sound = "card" | "trains" | "turn" | "end";

interface Note {
  /** Hz: of a tone, or the middle of a band of noise */
  pitch: number;
  /** seconds after the first */
  at: number;
  /** seconds until it has faded */
  lasts: number;
  /** the loudness beside the other notes; 1 if not given */
  level?: number;
}

interface Voice {
  /** "noise": paper and wood, for what is moved on the table */
  kind: "bell" | "noise";
  notes: Note[];
  /** it is heard after the sound that is playing, instead of not at all */
  waits?: true;
}

const VOLUME = { off: 0, soft: 0.05, full: 0.13 };
const OVERTONES = [
  { times: 1, level: 1 },
  { times: 2, level: 0.22 },
  { times: 3.01, level: 0.07 },
]; // of a bell

const SOUNDS: Record<Sound, Voice> = {
  card: { kind: "noise", notes: [{ pitch: 2600, at: 0, lasts: 0.09, level: 0.9 }] },
  trains: {
    kind: "noise",
    notes: [
      { pitch: 420, at: 0, lasts: 0.1, level: 2.2 },
      { pitch: 360, at: 0.12, lasts: 0.1, level: 2 },
      { pitch: 320, at: 0.24, lasts: 0.14, level: 2.2 },
    ],
  },
  turn: {
    kind: "bell",
    waits: true,
    notes: [
      { pitch: 523.25, at: 0, lasts: 0.5 },
      { pitch: 783.99, at: 0.13, lasts: 0.8, level: 0.7 },
    ],
  },
  end: {
    kind: "bell",
    waits: true,
    notes: [
      { pitch: 392, at: 0, lasts: 0.5 },
      { pitch: 493.88, at: 0.15, lasts: 0.5 },
      { pitch: 587.33, at: 0.3, lasts: 0.5 },
      { pitch: 783.99, at: 0.45, lasts: 1.2 },
    ],
  },
};

/** The sound of some changes: that of the most important one. */
export function soundOf(changes: readonly Change[]): Sound | null {
  if (changes.some((change) => change.kind === "trains" || change.kind === "mark")) return "trains";
  if (changes.some((change) => change.kind === "card" || change.kind === "tickets")) return "card";
  return null;
}

let player: AudioContext | null = null;
let hiss: AudioBuffer | null = null;
let busyUntil = 0;

/** A quarter of a second of noise, made once. */
function noise(context: AudioContext): AudioBuffer {
  if (hiss) return hiss;
  hiss = context.createBuffer(1, Math.ceil(context.sampleRate / 4), context.sampleRate);
  const samples = hiss.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  return hiss;
}

/** Play a sound, unless sounds are off, or another one is playing that it does not wait for. */
export function play(sound: Sound): void {
  const volume = VOLUME[settings.sound];
  if (!volume) return;
  player ??= new AudioContext();
  const context = player;
  if (context.state === "suspended") void context.resume(); // until the first click the browser allows none
  const { kind, notes, waits } = SOUNDS[sound];
  const now = context.currentTime;
  if (now < busyUntil && !waits) return;
  const start = Math.max(now, busyUntil);
  for (const note of notes) {
    const from = start + note.at;
    const until = from + note.lasts;
    const loud = volume * (note.level ?? 1);
    if (kind === "noise") {
      const source = new AudioBufferSourceNode(context, { buffer: noise(context) });
      const band = new BiquadFilterNode(context, { type: "bandpass", frequency: note.pitch, Q: 1.6 });
      source
        .connect(band)
        .connect(faded(context, loud, from, until))
        .connect(context.destination);
      source.start(from);
      source.stop(until);
    } else
      for (const { times, level } of OVERTONES) {
        const tone = new OscillatorNode(context, { type: "sine", frequency: note.pitch * times });
        tone.connect(faded(context, loud * level, from, until)).connect(context.destination);
        tone.start(from);
        tone.stop(until);
      }
    busyUntil = Math.max(busyUntil, until);
  }
}

/** A level that rises at once, without a click, and fades. */
function faded(context: AudioContext, loud: number, from: number, until: number): GainNode {
  const level = new GainNode(context, { gain: 0 });
  level.gain.setValueAtTime(0, from);
  level.gain.linearRampToValueAtTime(loud, from + 0.008);
  level.gain.exponentialRampToValueAtTime(0.0001, until);
  return level;
}
