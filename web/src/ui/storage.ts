// Values in the browser's local storage. Where storage is not allowed, the page works without it.

/** The value of a key, or null if there is none that can be read. */
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
    // Storage is full or not allowed: the value is lost when the page is closed.
  }
}
