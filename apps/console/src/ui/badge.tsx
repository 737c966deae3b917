import type { ReactNode } from 'react';
import { classes } from './class-names';

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'none';

const TONES: Record<Tone, string> = {
  good: 'bg-good-soft text-good',
  bad: 'bg-bad-soft text-bad',
  warn: 'bg-warn-soft text-warn',
  busy: 'bg-busy-soft text-busy',
  none: 'bg-sunken text-soft',
};

export function Badge({ tone = 'none', children }: { tone?: Tone; children: ReactNode }): ReactNode {
  return (
    <span
      className={classes(
        'inline-flex items-center gap-1.5 rounded-full px-2 py-px text-xs font-medium whitespace-nowrap',
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}

const STATUSES: Record<string, Tone> = {
  RUNNING: 'busy',
  QUEUED: 'none',
  PENDING: 'none',
  CANCELLING: 'warn',
  WAITING_INPUT: 'warn',
  COMPLETED: 'good',
  SUCCEEDED: 'good',
  DISPATCHED: 'good',
  TRIGGERED: 'good',
  ACTIVE: 'good',
  ANSWERED: 'good',
  FAILED: 'bad',
  TIMED_OUT: 'bad',
  EXPIRED: 'bad',
  REVOKED: 'bad',
  succeeded: 'good',
  started: 'busy',
  failed: 'bad',
};

export const toneOf = (status: string): Tone => STATUSES[status] ?? 'none';

/** `WAITING_INPUT` reads "Waiting input". */
export const wordsOf = (status: string): string => {
  const words = status.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** A state is never told by its colour alone. */
export function StatusBadge({ status }: { status: string }): ReactNode {
  const tone = toneOf(status);
  return (
    <Badge tone={tone}>
      <span
        aria-hidden="true"
        className={classes('size-1.5 rounded-full bg-current', status === 'RUNNING' && 'animate-pulse')}
      />
      {wordsOf(status)}
    </Badge>
  );
}
