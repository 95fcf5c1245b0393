// Short synthesized sounds, one at a time, and only if the settings allow them.

import type { Change } from "../game/changes.ts";
import { settings } from "../ui/settings.svelte.ts";

type Sound = "card" | "trains" | "turn" | "end";

interface Note {
  /** Hz */
  pitch: number;
  /** seconds after the first */
  at: number;
  /** seconds until it has faded */
  lasts: number;
}

const VOLUME = 0.09;
const SOUNDS: Record<Sound, { wave: OscillatorType; notes: Note[] }> = {
  card: { wave: "triangle", notes: [{ pitch: 520, at: 0, lasts: 0.08 }] },
  trains: {
    wave: "triangle",
    notes: [
      { pitch: 165, at: 0, lasts: 0.12 },
      { pitch: 147, at: 0.13, lasts: 0.16 },
    ],
  },
  turn: {
    wave: "sine",
    notes: [
      { pitch: 587, at: 0, lasts: 0.25 },
      { pitch: 784, at: 0.14, lasts: 0.4 },
    ],
  },
  end: {
    wave: "sine",
    notes: [
      { pitch: 392, at: 0, lasts: 0.35 },
      { pitch: 494, at: 0.16, lasts: 0.35 },
      { pitch: 587, at: 0.32, lasts: 0.35 },
      { pitch: 784, at: 0.48, lasts: 0.8 },
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
let busyUntil = 0;

/** Play a sound, unless one is playing or sounds are off. */
export function play(sound: Sound): void {
  if (!settings.sound) return;
  player ??= new AudioContext();
  if (player.state === "suspended") void player.resume(); // until the first click the browser allows none
  const now = player.currentTime;
  if (now < busyUntil) return;
  const { wave, notes } = SOUNDS[sound];
  for (const { pitch, at, lasts } of notes) {
    const tone = new OscillatorNode(player, { type: wave, frequency: pitch });
    const level = new GainNode(player, { gain: 0 });
    level.gain.setValueAtTime(0, now + at);
    level.gain.linearRampToValueAtTime(VOLUME, now + at + 0.012);
    level.gain.exponentialRampToValueAtTime(0.0001, now + at + lasts);
    tone.connect(level).connect(player.destination);
    tone.start(now + at);
    tone.stop(now + at + lasts);
    busyUntil = Math.max(busyUntil, now + at + lasts);
  }
}
