import { type RefObject, useEffect } from 'react';
import { useElementScrollRestoration, useLocation } from '@tanstack/react-router';
import { MOVES } from '../ui/scroll-position';

/** As long as the parts of a page may take to come. */
const PATIENCE_MS = 10_000;
/** A page that has not moved for so long is complete. */
const SETTLED_MS = 1_000;
/** The name of the element that scrolls, for the router. */
export const PAGE_SCROLL = 'page';

/**
 * Back, forward and reload find the page where it was left. The router scrolls once; a page that has to be read first
 * is not high enough by then.
 */
export function usePageScroll(page: RefObject<HTMLElement | null>): void {
  const entry = useLocation({ select: ({ state, href }) => state.__TSR_key ?? href });
  const scroll = useElementScrollRestoration({ id: PAGE_SCROLL });
  useEffect(() => {
    if (page.current && scroll) return scrollWhenHighEnough(page.current, scroll.scrollY);
    return undefined;
    // Only where a page is come to.
  }, [entry]);
}

/** Until the page is complete, or the person scrolls: parts that become higher or lower would move it. */
function scrollWhenHighEnough(box: HTMLElement, top: number): () => void {
  const deadline = performance.now() + PATIENCE_MS;
  let movedAt = performance.now();
  const ending = new AbortController();
  const end = (): void => ending.abort();
  for (const name of MOVES) box.addEventListener(name, end, { passive: true, signal: ending.signal });
  const step = (): void => {
    if (ending.signal.aborted) return;
    const now = performance.now();
    if (Math.abs(box.scrollTop - top) >= 1) {
      box.scrollTop = top;
      movedAt = now;
    }
    if (now - movedAt > SETTLED_MS || now > deadline) end();
    else requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
  return end;
}
