import type { Ceilings } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';

/** Records and bytes of a Space's datasets, or of a write. */
export interface StoredAmount {
  records: number;
  bytes: number;
}

/** Below this part of a ceiling a total of some seconds ago decides; above it the exact one does. */
const NEAR = 0.9;
/** A Space with a ceiling this low is near it from the first record on. */
const ROOM = { records: 10_000, bytes: 64 * 1024 * 1024 };

export const ceilingsOf = (ceilings: Ceilings | undefined, defaults: StoredAmount): StoredAmount => ({
  records: ceilings?.records ?? defaults.records,
  bytes: ceilings?.bytes ?? defaults.bytes,
});

export const sumOf = (left: StoredAmount, right: StoredAmount): StoredAmount => ({
  records: left.records + right.records,
  bytes: left.bytes + right.bytes,
});

/** Whether a total that others may have added to meanwhile is good enough. */
export const isFarBelow = (total: StoredAmount, ceilings: StoredAmount): boolean =>
  (['records', 'bytes'] as const).every(
    (name) => total[name] + ROOM[name] <= ceilings[name] && total[name] <= ceilings[name] * NEAR,
  );

/**
 * Refuses a total with `more` in it that is over a ceiling. A write that adds nothing passes, also in a Space that is
 * over it already.
 */
export function checkCeilings(
  total: StoredAmount,
  more: StoredAmount,
  ceilings: StoredAmount,
  subject = 'They hold',
): void {
  for (const name of ['records', 'bytes'] as const) {
    if (more[name] <= 0 || total[name] <= ceilings[name]) continue;
    const message = `The datasets of this Space may hold ${ceilings[name]} ${name} (its ceiling \`${name}\`). ${subject} ${total[name] - more[name]}, and this would add ${more[name]}.`;
    throw new AppError('CONFLICT', message, {
      details: [{ path: `ceilings.${name}`, message }],
      limit: { limit: name, value: ceilings[name], until: null },
    });
  }
}
