import { useState } from 'react';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { toast } from './toast';

export interface Action<A extends unknown[]> {
  run: (...args: A) => Promise<boolean>;
  isBusy: boolean;
  /** Why it was refused: for the form that asked for it. */
  error: unknown;
  reset: () => void;
}

interface Options {
  /** Queries to refetch when it is done. */
  changes?: readonly QueryKey[];
  /** Said when it is done. */
  done?: string;
  /** Without a form that shows it, a refusal is said. */
  saysRefusal?: boolean;
}

/** Something that a person does: busy meanwhile, its refusal kept, and what it has changed read anew. */
export function useAction<A extends unknown[]>(
  work: (...args: A) => Promise<unknown>,
  options: Options = {},
): Action<A> {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async (...args: A): Promise<boolean> => {
    setBusy(true);
    setError(null);
    try {
      await work(...args);
      for (const queryKey of options.changes ?? []) void queries.invalidateQueries({ queryKey });
      if (options.done !== undefined) toast.done(options.done);
      return true;
    } catch (refusal) {
      setError(refusal);
      if (options.saysRefusal === true) toast.failed(refusal);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { run, isBusy, error, reset: () => setError(null) };
}
