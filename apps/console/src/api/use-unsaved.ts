import { useBlocker } from '@tanstack/react-router';

interface Unsaved {
  isAsking: boolean;
  stay: () => void;
  leave: () => void;
}

/** Asks before a page is left with changes that are not saved. */
export function useUnsaved(isDirty: boolean): Unsaved {
  const blocker = useBlocker({ shouldBlockFn: () => isDirty, enableBeforeUnload: () => isDirty, withResolver: true });
  return {
    isAsking: blocker.status === 'blocked',
    stay: () => blocker.reset?.(),
    leave: () => blocker.proceed?.(),
  };
}
