/** Run an action with the first matching element, now or when it is added. Returns a function that cancels this. */
export function whenPresent(
  within: HTMLElement,
  selector: string,
  action: (found: HTMLElement) => void,
): () => void {
  const found = within.querySelector<HTMLElement>(selector);
  if (found) action(found);
  const watch = new MutationObserver(() => {
    const come = within.querySelector<HTMLElement>(selector);
    if (!come) return;
    watch.disconnect();
    action(come);
  });
  if (!found) watch.observe(within, { childList: true, subtree: true });
  return () => watch.disconnect();
}

/** Do something when the page has nothing else to do; Safari does not say when that is. */
export function whenIdle(action: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(action);
  else setTimeout(action, 1000);
}

/** Focus a field whose value cannot be used, in the middle of the screen: nothing sticky covers it there. */
export function showProblem(field: HTMLInputElement): void {
  field.focus({ preventScroll: true });
  field.select();
  field.scrollIntoView({ block: "center" });
}
