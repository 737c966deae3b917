import type { ReactNode } from 'react';
import { Cron } from 'croner';

interface Props {
  cron: string;
  timezone: string;
}

const MOST = 5;

/** Reckoned here, to see what a schedule means before it is saved; the platform decides when it is due. */
export function NextTimes({ cron, timezone }: Props): ReactNode {
  const times = timesOf(cron, timezone);
  if (times.length === 0) return null;
  return (
    <div>
      <p className="text-sm font-medium">Next runs</p>
      <ol aria-label="Next runs" className="text-sm text-soft tabular-nums">
        {times.map((time) => (
          <li key={time}>{time}</li>
        ))}
      </ol>
    </div>
  );
}

function timesOf(cron: string, timezone: string): string[] {
  try {
    const format = new Intl.DateTimeFormat('en', {
      weekday: 'short',
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'short',
      timeZone: timezone,
    });
    const schedule = new Cron(cron, { timezone, mode: '5-part', paused: true });
    return schedule.nextRuns(MOST).map((time) => format.format(time));
  } catch {
    // Incomplete input: the field shows the error on save.
    return [];
  }
}
