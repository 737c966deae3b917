import type { ReactNode } from 'react';
import { Button } from '../ui/button';
import { isOutdated } from '../ui/chunk-load-error';
import { Page } from '../ui/page';
import { Empty, ErrorState } from '../ui/states';

/** In place of a page that broke; the frame around it stays. */
export function RouteError({ error, reset }: { error: unknown; reset: () => void }): ReactNode {
  if (isOutdated(error))
    return (
      <Page title="New version">
        <Empty
          title="The console was updated"
          action={
            <Button look="primary" onClick={() => window.location.reload()}>
              Reload
            </Button>
          }
        >
          This page belongs to the version before. Reload to open it.
        </Empty>
      </Page>
    );
  return (
    <Page title="Something went wrong">
      <ErrorState error={error instanceof Error ? error : new Error(String(error))} onRetry={reset} />
    </Page>
  );
}
