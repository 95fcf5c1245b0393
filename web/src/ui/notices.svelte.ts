// Short messages that disappear after a while, for what has no better place.

interface Notice {
  id: number;
  text: string;
}

const current: Notice[] = $state([]);
let made = 0;

export const notices = (): readonly Notice[] => current;

export function dismiss(id: number): void {
  const at = current.findIndex((notice) => notice.id === id);
  if (at >= 0) current.splice(at, 1);
}

/** Show a message; the longer it is, the longer it stays. */
export function notify(text: string): void {
  const said = current.find((notice) => notice.text === text);
  if (said) dismiss(said.id);
  const id = ++made;
  current.push({ id, text });
  setTimeout(() => dismiss(id), 4000 + 60 * text.length);
}
