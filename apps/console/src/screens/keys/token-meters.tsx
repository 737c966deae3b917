import type { ReactNode } from 'react';
import type { KeyUsage } from '@switchyard/client';
import { exactTime, number } from '../../ui/format';
import { Meter } from '../../ui/meter';

/** How much of its token limits a key or an account has used. */
export function TokenMeters({ usage: { dailyTokens, monthlyTokens } }: { usage: KeyUsage }): ReactNode {
  const uses = [
    ['Tokens today', dailyTokens],
    ['Tokens this month', monthlyTokens],
  ] as const;
  return uses.map(([label, { used, reserved, cap, resetsAt }]) => (
    <Meter
      key={label}
      label={label}
      used={used}
      cap={cap}
      note={`${number(reserved)} reserved by running calls; resets at ${exactTime(resetsAt)}`}
    />
  ));
}
