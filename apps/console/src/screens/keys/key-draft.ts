import type { ApiKey, ApiKeyChanges, NewApiKey } from '@switchyard/client';
import { type ScopeDraft, scopesOf } from './scope-draft';

/** The fields of a key as they are edited. Null: no limit. */
export interface KeyDraft extends ScopeDraft {
  name: string;
  description: string;
  /** A day, `2026-11-30`; empty for none. */
  expires: string;
  dailyTokens: number | null;
  monthlyTokens: number | null;
  requestsPerMinute: number | null;
  models: readonly string[] | null;
  agents: readonly string[] | null;
}

export const emptyKey: KeyDraft = {
  name: '',
  description: '',
  hasAllScopes: false,
  scopes: ['agents:read', 'agents:call'],
  answersApprovals: false,
  expires: '',
  dailyTokens: null,
  monthlyTokens: null,
  requestsPerMinute: null,
  models: null,
  agents: null,
};

const dayOf = (time: string): string => {
  const at = new Date(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
};

export const keyDraftOf = ({ name, description, scopes, expiresAt, limits }: ApiKey): KeyDraft => ({
  name,
  description: description ?? '',
  hasAllScopes: scopes.includes('*'),
  scopes: scopes.filter((scope) => scope !== '*' && scope !== 'approvals:answer'),
  answersApprovals: scopes.includes('approvals:answer'),
  expires: expiresAt === null ? '' : dayOf(expiresAt),
  dailyTokens: limits.dailyTokens ?? null,
  monthlyTokens: limits.monthlyTokens ?? null,
  requestsPerMinute: limits.requestsPerMinute ?? null,
  models: limits.models ?? null,
  agents: limits.agents ?? null,
});

/** The whole of the last day. */
const endOf = (day: string): string => new Date(`${day}T23:59:59`).toISOString();

type Limits = NonNullable<ApiKeyChanges['limits']>;
const limitsOf = (draft: KeyDraft): Required<Limits> => ({
  dailyTokens: draft.dailyTokens,
  monthlyTokens: draft.monthlyTokens,
  requestsPerMinute: draft.requestsPerMinute,
  models: draft.models === null ? null : [...draft.models],
  agents: draft.agents === null ? null : [...draft.agents],
});

export function newKeyOf(draft: KeyDraft): NewApiKey {
  const limits = Object.fromEntries(Object.entries(limitsOf(draft)).filter(([, value]) => value !== null));
  return {
    name: draft.name,
    scopes: scopesOf(draft),
    ...(draft.description === '' ? {} : { description: draft.description }),
    ...(draft.expires === '' ? {} : { expiresAt: endOf(draft.expires) }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  };
}

/** Only what differs: an expiry that is not touched keeps its hour, a limit that is emptied is removed. */
export function keyChangesOf(draft: KeyDraft, before: KeyDraft): ApiKeyChanges {
  const old = limitsOf(before);
  const limits = Object.fromEntries(
    Object.entries(limitsOf(draft)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name as keyof Limits]),
    ),
  ) as Limits;
  const scopes = scopesOf(draft);
  return {
    ...(draft.name === before.name ? {} : { name: draft.name }),
    ...(draft.description === before.description
      ? {}
      : { description: draft.description === '' ? null : draft.description }),
    ...(draft.expires === before.expires ? {} : { expiresAt: draft.expires === '' ? null : endOf(draft.expires) }),
    ...(JSON.stringify(scopes) === JSON.stringify(scopesOf(before)) ? {} : { scopes }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  };
}
