// Makes room for a question: its sheet is drawn smaller, in steps, until all of its answers are visible.

/** The steps of the print. */
const ROOMS = ["ample", "close", "tight"] as const;
/** The steps of the seats: as always, each in one line, and several beside each other. */
const SEATS = [null, "lines", "columns"] as const;

const SLACK = 1; // px, since measures are rounded

/** Attach to a box that scrolls: `data-above` and `data-below` say where something is out of sight. */
export function signs(box: HTMLElement): () => void {
  const sign = (): void => mark(box, box);
  const sizes = new ResizeObserver(sign);
  for (const one of [box, ...box.children]) sizes.observe(one);
  const changes = new MutationObserver(() => {
    for (const one of box.children) sizes.observe(one);
    sign();
  });
  changes.observe(box, { childList: true });
  box.addEventListener("scroll", sign, { passive: true });
  return () => {
    sizes.disconnect();
    changes.disconnect();
    box.removeEventListener("scroll", sign);
  };
}

function mark(sheet: HTMLElement, { scrollTop, scrollHeight, clientHeight }: HTMLElement): void {
  sheet.toggleAttribute("data-above", scrollTop > SLACK);
  sheet.toggleAttribute("data-below", scrollHeight - scrollTop - clientHeight > SLACK);
}

/**
 * Attach to a sheet whose `.content` scrolls. Sets `data-room` of the sheet to the first step at which the content
 * fits. If none does, it sets `data-crowded`, by which `layout/` takes room from the seats in two steps, and tries
 * them again; if the content does not fit even so, `data-above` and `data-below` say where something is out of sight.
 */
export function fit(sheet: HTMLElement): () => void {
  const content = sheet.querySelector<HTMLElement>(".content");
  if (!content) return () => undefined;

  const sign = (): void => mark(sheet, content);

  function fits(seats: (typeof SEATS)[number]): boolean {
    if (seats) sheet.dataset.crowded = seats;
    else delete sheet.dataset.crowded;
    return ROOMS.some((room) => {
      sheet.dataset.room = room;
      const { scrollHeight, clientHeight } = content as HTMLElement;
      return scrollHeight - clientHeight <= SLACK;
    });
  }

  function choose(): void {
    const at = content?.scrollTop ?? 0;
    SEATS.some(fits);
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
