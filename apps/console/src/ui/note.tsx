import type { ReactNode } from 'react';
import { SwitchyardError } from '@switchyard/client';
import { Button } from './button';
import { classes } from './class-names';
import { messageOf } from './errors';

const TONES = { good: 'bg-good-soft text-good', bad: 'bg-bad-soft text-bad', warn: 'bg-warn-soft text-warn' } as const;

interface NoteProps {
  tone: keyof typeof TONES;
  children: ReactNode;
  /** Beside the text: what can be done about it. */
  action?: ReactNode;
  className?: string;
}

/** A coloured box of a few words. Bad news are announced at once, the rest when there is time. */
export const Note = ({ tone, children, action, className }: NoteProps): ReactNode => (
  <div
    role={tone === 'bad' ? 'alert' : 'status'}
    className={classes(
      'flex flex-wrap items-center gap-x-3 gap-y-1.5 rounded-lg px-3 py-2 wrap-anywhere',
      TONES[tone],
      className,
    )}
  >
    <div className="min-w-0 flex-1 basis-48">{children}</div>
    {action}
  </div>
);

interface RetryProps {
  tone: 'bad' | 'warn';
  /** A failed action, with a button to retry it. */
  action: 'Refresh' | 'Load more';
  error: unknown;
  onRetry: () => void;
  className?: string;
}

/** Something that was not read, beside what is there. */
export const RetryNote = ({ tone, action, error, onRetry, className }: RetryProps): ReactNode => (
  <Note
    tone={tone}
    className={className ?? ''}
    action={
      <Button size="small" onClick={onRetry}>
        {action}
      </Button>
    }
  >
    Could not {action.toLowerCase()}: {messageOf(error)}
  </Note>
);

interface RefusalProps {
  /** Anything that was thrown, or the error that a record keeps; null shows nothing. */
  error: unknown;
  className?: string;
  action?: ReactNode;
}

const isStored = (error: unknown): error is { code: string; message: string } =>
  typeof error === 'object' && error !== null && 'code' in error && 'message' in error;

/** An API error: message, code, and request id. */
export function Refusal({ error, className, action }: RefusalProps): ReactNode {
  if (error === null || error === undefined) return null;
  const message = isStored(error) ? error.message : messageOf(error);
  const requestId = error instanceof SwitchyardError ? error.requestId : null;
  return (
    <Note tone="bad" action={action} className={className ?? ''}>
      {message} {isStored(error) && <span className="font-mono text-xs">{error.code}</span>}
      {requestId !== null && <span className="block font-mono text-xs">request {requestId}</span>}
    </Note>
  );
}
