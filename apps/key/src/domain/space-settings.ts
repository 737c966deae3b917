import {
  type ChangeCeilings,
  type ChangeSettings,
  type EffectiveSettings,
  NO_CEILINGS,
  type SpaceSettings,
  type SpaceStatus,
} from '@switchyard/contracts';
import { invalid } from '@switchyard/kernel';
import { type PayerFacts, payerOf } from './space-payer';

const NAMES = ['dailyTokenCap', 'requestTokenCap', 'minimumBalance', 'taskConcurrency', 'jobConcurrency'] as const;

/** Given fields replace, null takes away, everything else stays. */
export function mergeSettings(before: SpaceSettings, change: ChangeSettings): SpaceSettings {
  const after: SpaceSettings = {};
  for (const name of NAMES) {
    const value = change[name] === undefined ? before[name] : change[name];
    if (value !== undefined && value !== null) after[name] = value;
  }
  const approvals = change.approvals === undefined ? before.approvals : change.approvals;
  if (approvals !== undefined && approvals !== null) after.approvals = approvals;
  const captures = change.captureContent === undefined ? before.captureContent : change.captureContent;
  if (captures !== undefined && captures !== null) after.captureContent = captures;
  return after;
}

/** Where the operator has set no ceiling for the Space. */
export interface DefaultCeilings {
  taskConcurrency: number;
  jobConcurrency: number;
}

const CEILING_OF = {
  dailyTokenCap: 'dailyTokens',
  taskConcurrency: 'taskConcurrency',
  jobConcurrency: 'jobConcurrency',
} as const;

/** A setting from before a ceiling was lowered stays, and the services hold to the ceiling. */
export function checkCeilings(change: ChangeSettings, ceilings: ChangeCeilings, defaults: DefaultCeilings): void {
  for (const [name, ceilingName] of Object.entries(CEILING_OF) as [keyof typeof CEILING_OF, keyof ChangeCeilings][]) {
    const value = change[name];
    if (typeof value !== 'number') continue;
    const ceiling = ceilings[ceilingName] ?? null;
    if (ceiling !== null && value > ceiling)
      throw invalid(`settings.${name}`, `must be at most ${ceiling}, the ceiling ${ceilingName} of this Space`);
    const most = name === 'dailyTokenCap' ? Infinity : defaults[name];
    if (ceiling === null && value > most) throw invalid(`settings.${name}`, `must be an integer from 1 to ${most}`);
  }
}

interface SpaceFacts extends PayerFacts {
  settings: SpaceSettings;
  ceilings: ChangeCeilings;
  status: SpaceStatus;
  suspendedReason: string | null;
  suspendedAt: string | null;
  updatedAt: string;
  unmetered: boolean;
  startingTokens: number | null;
}

export const effectiveSettings = (
  { settings, ...space }: SpaceFacts,
  payers?: ReadonlyMap<string, PayerFacts>,
): EffectiveSettings => ({
  dailyTokenCap: settings.dailyTokenCap ?? null,
  requestTokenCap: settings.requestTokenCap ?? null,
  minimumBalance: settings.minimumBalance ?? null,
  taskConcurrency: settings.taskConcurrency ?? null,
  jobConcurrency: settings.jobConcurrency ?? null,
  approvals: settings.approvals ?? [],
  ceilings: { ...NO_CEILINGS, ...space.ceilings },
  payer: payerOf(space, payers),
  status: space.status,
  suspendedReason: space.suspendedReason,
  // A process of the version before may have suspended or resumed it, which does not know the column.
  suspendedAt: space.status === 'SUSPENDED' ? (space.suspendedAt ?? space.updatedAt) : null,
  unmetered: space.unmetered,
  startingTokens: space.startingTokens,
});
