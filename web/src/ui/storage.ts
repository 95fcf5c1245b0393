// What a browser keeps for the next visit. Where it may save nothing, the page works all the same.

/** What was kept under a key, or null: nothing, or nothing that can be read. */
export function load(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") as unknown;
  } catch {
    return null; // written by another version or by hand, or storage is not allowed
  }
}

export function save(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is full or not allowed: it holds until the page is closed.
  }
}
