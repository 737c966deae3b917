import type { ChangeKeyLimits, KeyLimits } from '@switchyard/contracts';

type Name = keyof KeyLimits;

const NUMBERS = ['dailyTokens', 'monthlyTokens', 'requestsPerMinute'] as const;
const LISTS = ['models', 'agents'] as const;

/** Field by field: a value sets, null removes, and other fields stay. */
export function changedLimits(before: KeyLimits, change: ChangeKeyLimits | undefined): KeyLimits {
  const after: KeyLimits = {};
  for (const name of NUMBERS) {
    const value = change?.[name] === undefined ? before[name] : change[name];
    if (value !== undefined && value !== null) after[name] = value;
  }
  for (const name of LISTS) {
    const value = change?.[name] === undefined ? before[name] : change[name];
    if (value !== undefined && value !== null) after[name] = [...new Set(value)];
  }
  return after;
}

/** The limits by which `wanted` allows more than `held` does. Without a limit, everything is allowed. */
export function limitsBeyond(leased: KeyLimits, requested: KeyLimits): Name[] {
  const beyond: Name[] = [];
  for (const name of NUMBERS) {
    const most = leased[name];
    if (most !== undefined && (requested[name] ?? Infinity) > most) beyond.push(name);
  }
  for (const name of LISTS) {
    const allowed = leased[name];
    if (allowed !== undefined && !(requested[name]?.every((item) => allowed.includes(item)) ?? false))
      beyond.push(name);
  }
  return beyond;
}
