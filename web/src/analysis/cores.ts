// How many workers an analysis may have.

/** What a browser tells of its machine; what it does not tell is undefined. */
interface Machine {
  readonly cores: number | undefined;
  /** gigabytes */
  readonly memory: number | undefined;
  readonly savesData: boolean;
  /** it is held in the hand: its battery is small, and it gets warm */
  readonly handheld: boolean;
}

const MOST = 8;
const MOST_HANDHELD = 3;
const LITTLE_MEMORY = 2; // gigabytes

/** One core is left to the page. */
export function workersFor({ cores = 2, memory = LITTLE_MEMORY + 1, savesData, handheld }: Machine): number {
  if (savesData || memory <= LITTLE_MEMORY) return 1;
  return Math.max(1, Math.min(cores - 1, handheld ? MOST_HANDHELD : MOST));
}

export function thisMachine(): Machine {
  const told = navigator as Navigator & {
    deviceMemory?: number;
    connection?: { saveData?: boolean };
  };
  return {
    cores: told.hardwareConcurrency,
    memory: told.deviceMemory,
    savesData: told.connection?.saveData ?? false,
    handheld: matchMedia("(pointer: coarse)").matches,
  };
}
