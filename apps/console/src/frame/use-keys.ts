import { useEffect, useRef } from 'react';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** Keyboard shortcuts of the page. Single keys are ignored while the user types. */
export function useKeys(actions: Record<string, () => void>): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const withControl = event.ctrlKey || event.metaKey;
      // An open dialog receives the keys: a value that is shown once must not be closed by accident.
      if (document.querySelector('[role="dialog"], [role="menu"]')) return;
      if (event.altKey || (!withControl && isTyping(event.target))) return;
      const action = latest.current[`${withControl ? 'ctrl+' : ''}${event.key.toLowerCase()}`];
      if (!action) return;
      event.preventDefault();
      action();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}
