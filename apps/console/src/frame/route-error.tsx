import type { ReactNode } from 'react';
import { ErrorState } from '../ui/states';

export function RouteError({ error, reset }: { error: unknown; reset: () => void }): ReactNode {
  return (
    <main className="grid min-h-full place-items-center">
      <ErrorState error={error instanceof Error ? error : new Error(String(error))} onRetry={reset} />
    </main>
  );
}
