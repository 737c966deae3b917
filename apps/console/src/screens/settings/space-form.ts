import type { Space, SpaceChanges } from '@switchyard/client';
import { asObject } from '../../ui/json';

type Settings = NonNullable<SpaceChanges['settings']>;
type Rule = NonNullable<Settings['approvals']>[number];

/** A rule as it is edited: its filter is JSON in a text, empty for every call. */
export interface RuleDraft {
  /** Tells rows apart while they come and go. */
  key: string;
  tool: string;
  by: 'USER' | 'ADMIN' | 'OTHER';
  when: string;
}

export const LIMITS = [
  { field: 'dailyTokenCap', label: 'Daily token cap', hint: 'For all calls since midnight UTC.', min: 0 },
  { field: 'requestTokenCap', label: 'Request token cap', hint: 'For one call.', min: 1 },
  { field: 'minimumBalance', label: 'Minimum balance', hint: 'Calls are refused below this balance.', min: 0 },
  { field: 'taskConcurrency', label: 'Concurrent executions', hint: 'Others are queued.', min: 1 },
  { field: 'jobConcurrency', label: 'Concurrent jobs', hint: 'Others are queued.', min: 1 },
] as const;

type LimitField = (typeof LIMITS)[number]['field'];

export interface SpaceDraft {
  name: string;
  limits: Record<LimitField, number | null>;
  approvals: readonly RuleDraft[];
  captureContent: boolean;
}

export const emptyRule = (): RuleDraft => ({ key: crypto.randomUUID(), tool: '', by: 'USER', when: '' });

export const draftOf = ({ name, settings }: Space): SpaceDraft => ({
  name,
  limits: Object.fromEntries(LIMITS.map(({ field }) => [field, settings[field] ?? null])) as SpaceDraft['limits'],
  approvals: (settings.approvals ?? []).map(({ tool, by, when }) => ({
    ...emptyRule(),
    tool,
    by: by ?? 'USER',
    when: when === undefined ? '' : JSON.stringify(when),
  })),
  captureContent: settings.captureContent ?? false,
});

/** Whether its filter is no JSON object yet. */
export const hasInvalidFilter = ({ when }: RuleDraft): boolean => when.trim() !== '' && asObject(when) === null;

const ruleOf = ({ tool, by, when }: RuleDraft): Rule => {
  const filter = when.trim() === '' ? null : asObject(when);
  return { tool, by, ...(filter === null ? {} : { when: filter }) };
};

/** Only differences are sent: changes by others meanwhile are kept. An emptied limit goes back to the default. */
export function changesOf(draft: SpaceDraft, before: SpaceDraft): SpaceChanges {
  const rules = draft.approvals.map(ruleOf);
  const isRuled = JSON.stringify(rules) !== JSON.stringify(before.approvals.map(ruleOf));
  const limits = LIMITS.filter(({ field }) => draft.limits[field] !== before.limits[field]);
  const settings: Settings = {
    ...Object.fromEntries(limits.map(({ field }) => [field, draft.limits[field]])),
    ...(isRuled ? { approvals: rules.length === 0 ? null : rules } : {}),
    ...(draft.captureContent === before.captureContent ? {} : { captureContent: draft.captureContent }),
  };
  return {
    ...(draft.name === before.name ? {} : { name: draft.name }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  };
}
