import {
  type ChangeCeilings,
  type ChangeSettings,
  type EffectiveSettings,
  NO_CEILINGS,
  type SpaceSettings,
  type SpaceStatus,
} from '@switchyard/contracts';
import { invalid } from '@switchyard/kernel';
import { type PayerFacts, payerOf } from './payer';

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

/** The operator's ceilings. A setting from before they were lowered stays, and the services hold to the ceiling. */
export interface SettingCeilings {
  taskConcurrency: number;
  jobConcurrency: number;
}

export function checkCeilings(change: ChangeSettings, ceilings: SettingCeilings): void {
  for (const name of ['taskConcurrency', 'jobConcurrency'] as const) {
    const value = change[name];
    if (typeof value === 'number' && value > ceilings[name])
      throw invalid(`settings.${name}`, `must be an integer from 1 to ${ceilings[name]}`);
  }
}

interface SpaceFacts extends PayerFacts {
  settings: SpaceSettings;
  ceilings: ChangeCeilings;
  status: SpaceStatus;
  suspendedReason: string | null;
  unmetered: boolean;
  startingTokens: number | null;
}

export const effectiveSettings = ({ settings, ...space }: SpaceFacts): EffectiveSettings => ({
  dailyTokenCap: settings.dailyTokenCap ?? null,
  requestTokenCap: settings.requestTokenCap ?? null,
  minimumBalance: settings.minimumBalance ?? null,
  taskConcurrency: settings.taskConcurrency ?? null,
  jobConcurrency: settings.jobConcurrency ?? null,
  approvals: settings.approvals ?? [],
  ceilings: { ...NO_CEILINGS, ...space.ceilings },
  payer: payerOf(space),
  status: space.status,
  suspendedReason: space.suspendedReason,
  unmetered: space.unmetered,
  startingTokens: space.startingTokens,
});
