// Makes room for a question: its sheet is drawn smaller, in steps, until all of its answers are visible.

/** The steps, from ample to scarce; the last one also takes room from the seats (`layout/`). */
const ROOMS = ["ample", "close", "tight", "scarce"] as const;

const SLACK = 1; // px, since measures are rounded

/**
 * Attach to a sheet whose `.content` scrolls. Sets `data-room` of the sheet to the first step at which the content
 * fits, and `data-above` and `data-below` where it does not fit even so and something is out of sight.
 */
export function fit(sheet: HTMLElement): () => void {
  const content = sheet.querySelector<HTMLElement>(".content");
  if (!content) return () => undefined;

  function sign(): void {
    const { scrollTop, scrollHeight, clientHeight } = content as HTMLElement;
    sheet.toggleAttribute("data-above", scrollTop > SLACK);
    sheet.toggleAttribute("data-below", scrollHeight - scrollTop - clientHeight > SLACK);
  }

  function choose(): void {
    const at = content?.scrollTop ?? 0;
    for (const room of ROOMS) {
      sheet.dataset.room = room;
      if ((content?.scrollHeight ?? 0) - (content?.clientHeight ?? 0) <= SLACK) break;
    }
    if (content) content.scrollTop = at;
    sign();
  }

  let frame = 0;
  // In the next frame: a step changes the sizes that are observed.
  const soon = (): void => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(choose);
  };
  const sizes = new ResizeObserver(soon);
  for (const box of [document.documentElement, sheet, content]) sizes.observe(box);
  const changes = new MutationObserver(choose);
  changes.observe(content, { childList: true, characterData: true, subtree: true });
  content.addEventListener("scroll", sign, { passive: true });
  choose();
  return () => {
    cancelAnimationFrame(frame);
    sizes.disconnect();
    changes.disconnect();
    content.removeEventListener("scroll", sign);
  };
}
