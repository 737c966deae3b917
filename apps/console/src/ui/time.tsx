import { type ReactNode, useEffect, useState } from 'react';
import { exactTime, relativeTime } from './format';

/** The time, told anew each half minute. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** How long ago; the exact time on hover. */
export function Time({ at }: { at: string }): ReactNode {
  const now = useNow();
  return (
    <time dateTime={at} title={exactTime(at)} className="whitespace-nowrap">
      {relativeTime(at, Math.max(now, Date.now()))}
    </time>
  );
}
