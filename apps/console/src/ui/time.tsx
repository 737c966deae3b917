import { type ReactNode, useEffect, useState } from 'react';
import { exactTime, relativeTime } from './format';

/** How long ago; the exact time on hover. */
export function Time({ at }: { at: string }): ReactNode {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={at} title={exactTime(at)} className="whitespace-nowrap">
      {relativeTime(at, Math.max(now, Date.now()))}
    </time>
  );
}
