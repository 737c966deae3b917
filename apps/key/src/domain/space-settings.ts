import type { ChangeSettings, EffectiveSettings, SpaceSettings } from '@switchyard/contracts';

const NAMES = ['dailyTokenCap', 'requestTokenCap', 'minimumBalance', 'taskConcurrency', 'jobConcurrency'] as const;

/** Given fields replace, null takes away, everything else stays. */
export function mergeSettings(before: SpaceSettings, change: ChangeSettings): SpaceSettings {
  const after: SpaceSettings = {};
  for (const name of NAMES) {
    const value = change[name] === undefined ? before[name] : change[name];
    if (value !== undefined && value !== null) after[name] = value;
  }
  return after;
}

export const effectiveSettings = (settings: SpaceSettings): EffectiveSettings => ({
  dailyTokenCap: settings.dailyTokenCap ?? null,
  requestTokenCap: settings.requestTokenCap ?? null,
  minimumBalance: settings.minimumBalance ?? null,
  taskConcurrency: settings.taskConcurrency ?? null,
  jobConcurrency: settings.jobConcurrency ?? null,
});
