import { type RefObject, useEffect, useRef } from 'react';

/** Goes to the first field of a form that was refused: it may be out of sight. */
export function useRefusedField<T extends HTMLElement>(error: unknown): RefObject<T | null> {
  const form = useRef<T>(null);
  useEffect(() => {
    const refused = error ? form.current?.querySelector<HTMLElement>('[aria-invalid="true"]') : null;
    if (refused?.isContentEditable) refused.scrollIntoView({ block: 'nearest' });
    else refused?.focus();
  }, [error]);
  return form;
}
