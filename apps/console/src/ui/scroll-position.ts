/** A row of a list, and where in its box it stands: pixels say nothing once rows have come above it. */
export interface ScrollPosition {
  key: string;
  index: number;
  top: number;
  /** The link that was gone by. */
  href: string | null;
}

/** Of this tab: places outlive a reload, as its history does. */
const STORED = 'switchyard-places';
/** Older ones are forgotten. */
const MOST = 50;

const slots = new Map<string, ScrollPosition>(storedPlaces());
const nameOf = (entry: string, box: HTMLElement): string => `${entry} ${box.ariaLabel ?? ''}`;

/** Of an entry of the browser's history and a box of its page; null forgets it. */
export function saveScroll(entry: string, box: HTMLElement, stored: ScrollPosition | null): void {
  const name = nameOf(entry, box);
  slots.delete(name);
  if (stored !== null) slots.set(name, stored);
}
export const savedScroll = (entry: string, box: HTMLElement): ScrollPosition | null =>
  slots.get(nameOf(entry, box)) ?? null;

function storedPlaces(): [string, ScrollPosition][] {
  try {
    return JSON.parse(sessionStorage.getItem(STORED) ?? '[]') as [string, ScrollPosition][];
  } catch {
    // A browser that refuses storage: a reload begins at the top.
    return [];
  }
}

export function storePlaces(): void {
  try {
    sessionStorage.setItem(STORED, JSON.stringify([...slots].slice(-MOST)));
  } catch {
    // As above.
  }
}

const rowIn = (box: HTMLElement, index: number): HTMLElement | null =>
  box.querySelector<HTMLElement>(`[data-index="${index}"]`);
const topIn = (box: HTMLElement, row: HTMLElement): number =>
  row.getBoundingClientRect().top - box.getBoundingClientRect().top;

/** The row that one is at, or the first one in view. */
export function scrollIn(box: HTMLElement, keyAt: (index: number) => string | undefined): ScrollPosition | null {
  const seen = [...box.querySelectorAll<HTMLElement>('[data-index]')].filter((row) => {
    const top = topIn(box, row);
    return top + row.offsetHeight > 0 && top < box.clientHeight;
  });
  const at = document.activeElement;
  const row = seen.find((one) => one.contains(at)) ?? seen[0];
  const index = Number(row?.dataset['index']);
  const key = keyAt(index);
  if (row === undefined || key === undefined) return null;
  const link = row.contains(at) && at instanceof HTMLAnchorElement ? at.getAttribute('href') : null;
  return { key, index, top: topIn(box, row), href: link };
}

/** Rows are measured as they are drawn: it takes some frames until they stand. */
const FRAMES = 20;
/** By these a person scrolls. */
export const MOVES = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Scrolls until the row stands where it stood, unless the person scrolls meanwhile. */
export function putBack(
  box: HTMLElement,
  { top, href }: ScrollPosition,
  now: () => { index: number; start: number } | null,
): void {
  let remaining = FRAMES;
  const leave = (): void => {
    remaining = 0;
  };
  for (const name of MOVES) box.addEventListener(name, leave, { once: true, passive: true });
  const step = (): void => {
    const there = remaining > 0 && box.isConnected ? now() : null;
    if (there === null) {
      for (const name of MOVES) box.removeEventListener(name, leave);
      return;
    }
    const row = rowIn(box, there.index);
    if (row === null) box.scrollTop = there.start - top;
    else {
      box.scrollTop += topIn(box, row) - top;
      if (href !== null) focusLink(row, href);
    }
    remaining -= 1;
    requestAnimationFrame(step);
  };
  step();
}

/** Only where nothing else has the focus by now. */
function focusLink(row: HTMLElement, href: string): void {
  const at = document.activeElement;
  if (at !== document.body && at?.id !== 'main') return;
  row.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`)?.focus({ preventScroll: true });
}
