import { type EffectiveSettings, spaceSuspended } from '@switchyard/contracts';
import type { Caps } from './budget-check';

export interface SpaceTerms extends Caps {
  /** The starting balance of its account. */
  startingTokens: number;
  /** Why the Space is suspended; null while it is not. */
  suspendedReason: string | null;
}

export interface Defaults {
  REQUEST_TOKEN_CAP: number;
  DAILY_TOKEN_CAP: number;
  INITIAL_SPACE_TOKENS: number;
}

/** The smaller one holds of what a Space has set and what an operator allows. */
const lower = (setting: number | null, ceiling: number | null | undefined): number | null =>
  ceiling === null || ceiling === undefined ? setting : Math.min(setting ?? Infinity, ceiling);

/** A Space's spending limits. Spaces older than the record of starting tokens use the former default. */
export function termsOf(settings: EffectiveSettings, defaults: Defaults): SpaceTerms {
  const dailyDefault = defaults.DAILY_TOKEN_CAP === 0 ? null : defaults.DAILY_TOKEN_CAP;
  return {
    requestTokenCap: settings.requestTokenCap ?? defaults.REQUEST_TOKEN_CAP,
    minimumBalance: settings.minimumBalance,
    dailyTokenCap: lower(settings.dailyTokenCap ?? dailyDefault, settings.ceilings.dailyTokens),
    monthlyTokenCap: settings.ceilings.monthlyTokens,
    isUnmetered: settings.unmetered,
    startingTokens: settings.startingTokens ?? defaults.INITIAL_SPACE_TOKENS,
    suspendedReason: settings.status === 'SUSPENDED' ? (settings.suspendedReason ?? '') : null,
  };
}

/** Throws SPACE_SUSPENDED while the Space is. */
export function requireActive({ suspendedReason: reason }: SpaceTerms): void {
  if (reason !== null) throw spaceSuspended(reason);
}
