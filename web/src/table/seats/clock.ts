// The time that is left, as a clock shows it.

const DAY = 86_400;
const URGENT_S = 10;

export interface Left {
  /** whole days, from two on; then there is no text */
  days: number;
  text: string;
  urgent: boolean;
}

const two = (n: number): string => String(n).padStart(2, "0");

export function left(ms: number): Left {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds >= 2 * DAY) return { days: Math.floor(seconds / DAY), text: "", urgent: false };
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const text = hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
  return { days: 0, text, urgent: seconds < URGENT_S };
}
