import { type RefCallback, useCallback, useState } from 'react';

/** Of a dialog: what had the focus when it opened, and before that, where it was opened from another dialog. */
const openers = new WeakMap<Element, HTMLElement[]>();

function openersNow(): HTMLElement[] {
  const active = document.activeElement instanceof HTMLElement ? document.activeElement : document.body;
  // The item of a menu goes with the menu: the button of the menu stays.
  const menu = active.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const opener = (menu && document.getElementById(menu)) || active;
  const dialogs = document.querySelectorAll('[role="dialog"]');
  const outer = opener.closest('[role="dialog"]') ?? (opener === document.body ? dialogs[dialogs.length - 1] : null);
  return [opener, ...((outer && openers.get(outer)) ?? [])];
}

/** Of these elements the first that is still there and takes the focus, or the page. */
export function focusFirst(elements: readonly HTMLElement[]): void {
  for (const element of elements) {
    if (!element.isConnected || element === document.body) continue;
    element.focus({ preventScroll: true });
    if (document.activeElement === element) return;
  }
  document.getElementById('main')?.focus({ preventScroll: true });
}

/**
 * When a dialog closes, the focus goes back to what had it when it opened, or to the page where that is gone or another
 * page has come. For a component that is there while the dialog is open.
 */
export function useReturnFocus(): { ref: RefCallback<HTMLElement>; onCloseAutoFocus: (event: Event) => void } {
  const [opened] = useState(() => ({ from: openersNow(), page: window.location.pathname }));
  const ref = useCallback<RefCallback<HTMLElement>>(
    (element) => {
      if (element) openers.set(element, opened.from);
    },
    [opened],
  );
  return {
    ref,
    onCloseAutoFocus: (event) => {
      event.preventDefault();
      focusFirst(opened.page === window.location.pathname ? opened.from : []);
    },
  };
}
