import type { ReactNode } from 'react';
import { type Tone, toneOf, wordsOf } from '../api/status';
import { classes } from './class-names';

export { type Tone, toneOf, wordsOf } from '../api/status';

/** The colour of a bar or a mark of a state. */
export const BARS: Record<Tone, string> = {
  good: 'bg-good',
  bad: 'bg-bad',
  warn: 'bg-warn',
  busy: 'bg-busy',
  none: 'bg-line-strong',
};

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
        'inline-flex items-center gap-1.5 rounded-full px-2 align-middle py-px text-xs font-medium whitespace-nowrap',
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}

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
