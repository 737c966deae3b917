import { type FocusEvent, type ReactNode, type RefObject, createContext, use, useLayoutEffect, useRef } from 'react';
import { Toaster } from 'sonner';

const CameFrom = createContext<RefObject<HTMLElement | null>>({ current: null });

/**
 * Where toasts appear. Sonner takes the focus back to where it came from when it leaves a toast, so that nobody could
 * tab past one: it is not told where the focus is, and a toast that goes gives it back itself.
 */
export function Toasts(): ReactNode {
  const cameFrom = useRef<HTMLElement>(null);
  const enter = (event: FocusEvent<HTMLElement>): void => {
    event.stopPropagation();
    const from = event.relatedTarget;
    if (!event.currentTarget.contains(from)) cameFrom.current = from instanceof HTMLElement ? from : null;
  };
  return (
    <div onFocusCapture={enter} onBlurCapture={(event) => event.stopPropagation()}>
      <CameFrom value={cameFrom}>
        <Toaster position="bottom-right" />
      </CameFrom>
    </div>
  );
}

const BOX = 'flex w-full items-start gap-2.5 rounded-xl border border-line bg-raised px-3.5 py-3 text-ink shadow-high';

export function ToastBox({ children }: { children: ReactNode }): ReactNode {
  const cameFrom = use(CameFrom);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () => () => {
      const hasFocus = box.current?.closest('[data-sonner-toast]')?.contains(document.activeElement) ?? false;
      if (hasFocus && cameFrom.current?.isConnected === true) cameFrom.current.focus({ preventScroll: true });
    },
    [cameFrom],
  );
  return (
    <div ref={box} role="status" className={BOX}>
      {children}
    </div>
  );
}
