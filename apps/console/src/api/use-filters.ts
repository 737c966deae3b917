import { useCallback, useMemo } from 'react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Given } from './search-params';

export type Changes<S> = { [N in keyof S]?: string | undefined };

/** The filters of a page, kept in its URL: back, forward and a shared link show the same. `read` is that of its route. */
export function useFilters<S extends object>(read: (given: Given) => S): [S, (changes: Changes<S>) => void] {
  const search: Given = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = useCallback(
    (changes: Changes<S>) => {
      const next = (old: Given): Given => {
        const merged = { ...old, ...changes };
        return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined && value !== ''));
      };
      // A filter leaves no page: what is written into it stays.
      void navigate({ to: '.', search: next, replace: true, ignoreBlocker: true, resetScroll: false });
    },
    [navigate],
  );
  return [useMemo(() => read(search), [read, search]), change];
}
