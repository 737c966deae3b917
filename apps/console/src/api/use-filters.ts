import { useCallback } from 'react';
import { useNavigate, useSearch } from '@tanstack/react-router';

export type Filters<Name extends string> = Partial<Record<Name, string>>;

/** The filters of a page, kept in its URL: back, forward and a shared link show the same. */
export function useFilters<Name extends string>(): [Filters<Name>, (changes: Filters<Name>) => void] {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = useCallback(
    (changes: Filters<Name>) => {
      const next = (old: Record<string, unknown>): Record<string, unknown> => {
        const merged = { ...old, ...changes };
        return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined && value !== ''));
      };
      void navigate({ to: '.', search: next, replace: true });
    },
    [navigate],
  );
  const texts = Object.fromEntries(Object.entries(search).map(([name, value]) => [name, asText(value)]));
  return [texts as Filters<Name>, change];
}

/** The router reads numbers and JSON out of the URL: here everything is the text that it was. */
const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
