import { type FocusEvent, type ReactNode, type RefObject, createContext, use, useLayoutEffect, useRef } from 'react';
import { Toaster } from 'sonner';
import { focusFirst } from './use-return-focus';

/** The element focused before the toasts. */
const CameFrom = createContext<RefObject<HTMLElement | null>>({ current: null });

const giveBack = ({ current }: RefObject<HTMLElement | null>): void => focusFirst(current === null ? [] : [current]);

/**
 * Where toasts appear. When the focus leaves a toast, Sonner moves it back to where it came from, which traps Tab. So
 * we stop focus events here: Sonner does not see them, and listeners on the document do not either. A toast that closes
 * returns the focus itself.
 */
export function Toasts(): ReactNode {
  const cameFrom = useRef<HTMLElement>(null);
  const enter = (event: FocusEvent<HTMLElement>): void => {
    event.stopPropagation();
    // It is null when the window itself gets the focus back: then we keep what we have.
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

/** A toast's content. */
export function ToastBox({ children }: { children: ReactNode }): ReactNode {
  const cameFrom = use(CameFrom);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () => () => {
      if (!box.current?.closest('[data-sonner-toaster]')?.contains(document.activeElement)) return;
      // React ignores events until the toast is removed. If the focus was on the list of toasts, it may still be there.
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
