import { type FocusEvent, type ReactNode, type RefObject, createContext, use, useLayoutEffect, useRef } from 'react';
import { Toaster } from 'sonner';
import { focusFirst } from './use-return-focus';

/** What had the focus before the toasts. */
const CameFrom = createContext<RefObject<HTMLElement | null>>({ current: null });

const giveBack = ({ current }: RefObject<HTMLElement | null>): void => focusFirst(current === null ? [] : [current]);

/**
 * Where toasts appear. When the focus leaves a toast, Sonner moves it back to where it came from, which traps Tab. So
 * focus events of toasts are hidden, from Sonner and from whoever listens on the document; a toast that closes gives the
 * focus back.
 */
export function Toasts(): ReactNode {
  const cameFrom = useRef<HTMLElement>(null);
  const enter = (event: FocusEvent<HTMLElement>): void => {
    event.stopPropagation();
    // Of nothing comes who returns to the window.
    const { currentTarget, relatedTarget } = event;
    if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget))
      cameFrom.current = relatedTarget;
  };
  return (
    <div
      onFocusCapture={enter}
      onBlurCapture={(event) => event.stopPropagation()}
      onKeyDown={({ key }) => key === 'Escape' && giveBack(cameFrom)}
    >
      <CameFrom value={cameFrom}>
        <Toaster position="bottom-right" />
      </CameFrom>
    </div>
  );
}

const BOX = 'flex w-full items-start gap-2.5 rounded-xl border border-line bg-raised px-3.5 py-3 text-ink shadow-high';

/** What is in a toast. */
export function ToastBox({ children }: { children: ReactNode }): ReactNode {
  const cameFrom = use(CameFrom);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () => () => {
      if (!box.current?.closest('[data-sonner-toaster]')?.contains(document.activeElement)) return;
      // React hears no events before it has ended what removes the toast; the list may still have the focus then.
      queueMicrotask(() => document.activeElement === document.body && giveBack(cameFrom));
    },
    [cameFrom],
  );
  return (
    <div ref={box} role="status" className={BOX}>
      {children}
    </div>
  );
}
