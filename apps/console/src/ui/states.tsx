import type { ReactNode } from 'react';
import { ConnectionError, SwitchyardError } from '@switchyard/client';
import { Inbox, RotateCw, TriangleAlert } from 'lucide-react';
import { Button } from './button';
import { CopyButton } from './copy-button';
import { curlOf } from './curl';

export function Loading({ label = 'Loading', lines = 4 }: { label?: string; lines?: number }): ReactNode {
  return (
    <div role="status" aria-label={label} className="grid gap-3 p-4">
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className="shimmer h-4" style={{ width: `${90 - ((line * 17) % 45)}%` }} />
      ))}
    </div>
  );
}

interface EmptyProps {
  title: string;
  children?: ReactNode;
  icon?: ReactNode;
  /** The one button that makes the first. */
  action?: ReactNode;
}

export function Empty({ title, children, icon, action }: EmptyProps): ReactNode {
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-2 px-6 py-14 text-center">
      <div className="mb-1 grid size-11 place-items-center rounded-xl bg-accent-soft text-accent">
        {icon ?? <Inbox className="size-5" aria-hidden="true" />}
      </div>
      <h2 className="text-lg font-semibold">{title}</h2>
      {children !== undefined && <p className="text-soft">{children}</p>}
      {action !== undefined && action !== false && <div className="mt-3">{action}</div>}
    </div>
  );
}

const headlineOf = (error: Error): string => {
  if (error instanceof ConnectionError) return 'No connection';
  if (!(error instanceof SwitchyardError)) return 'Something went wrong';
  const headlines: Record<number, string> = {
    403: 'You do not have access',
    404: 'Not found',
    409: 'Conflict with the current state',
    429: 'Too many requests',
    503: 'Not available right now',
  };
  return headlines[error.status] ?? 'The request was refused';
};

interface ErrorProps {
  error: Error;
  onRetry?: () => void;
}

export function ErrorState({ error, onRetry }: ErrorProps): ReactNode {
  const call = curlOf(error, window.location.origin);
  const refusal = error instanceof SwitchyardError ? error : null;
  return (
    <div role="alert" className="mx-auto grid max-w-lg justify-items-center gap-2 px-6 py-12 text-center">
      <div className="mb-1 grid size-11 place-items-center rounded-xl bg-bad-soft text-bad">
        <TriangleAlert className="size-5" aria-hidden="true" />
      </div>
      <h2 className="text-lg font-semibold">{headlineOf(error)}</h2>
      <p className="wrap-anywhere text-soft">{error.message}</p>
      {refusal && (
        <dl className="flex flex-wrap justify-center gap-x-4 font-mono text-xs text-faint">
          <div>
            <dt className="sr-only">Code</dt>
            <dd>
              {refusal.status} {refusal.code}
            </dd>
          </div>
          {refusal.requestId !== null && (
            <div>
              <dt className="inline">request </dt>
              <dd className="inline">{refusal.requestId}</dd>
            </div>
          )}
        </dl>
      )}
      <div className="mt-3 flex flex-wrap justify-center gap-2">
        {onRetry && (
          <Button icon={<RotateCw className="size-4" aria-hidden="true" />} onClick={onRetry}>
            Retry
          </Button>
        )}
        {call !== null && <CopyButton text={call} label="Copy as curl" />}
      </div>
    </div>
  );
}
