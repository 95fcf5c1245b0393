// What a bot of a local table waits for before it can play: its network, which is large.

export interface Loading {
  bot: string;
  /** bytes that have arrived, and all of them */
  done: number;
  bytes: number;
}

let current: Loading | null = $state.raw(null);

/** the download that is under way; null: none */
export const loading = (): Loading | null => current;

export function setLoading(found: Loading): void {
  current = found.done < found.bytes ? found : null;
}
