import type { ApiKey } from '@switchyard/client';

export type Scope = ApiKey['scopes'][number];

/** The area of each scope that a person's key may have, but for the one that stands beside full access. A scope that the API gains is missed here by the compiler. */
const AREA_OF: Record<Exclude<Scope, '*' | 'events:emit' | 'approvals:answer'>, string> = {
  'agents:read': 'Agents',
  'agents:write': 'Agents',
  'agents:call': 'Agents',
  'sessions:read': 'Sessions',
  'sessions:write': 'Sessions',
  'jobs:read': 'Jobs',
  'jobs:write': 'Jobs',
  'tasks:read': 'Tasks',
  'tasks:write': 'Tasks',
  'tasks:execute': 'Tasks',
  'datasets:read': 'Datasets',
  'datasets:write': 'Datasets',
  'events:read': 'Events',
  'events:write': 'Events',
  'models:call': 'Models',
  'mcp:call': 'MCP',
  'keys:read': 'Keys',
  'keys:write': 'Keys',
  'secrets:read': 'Secrets',
  'secrets:write': 'Secrets',
  'spaces:read': 'Space',
  'spaces:write': 'Space',
};

/** Rows of the table of scopes: what a key may touch, and how. */
export const AREAS: readonly (readonly [string, readonly Scope[]])[] = [...new Set(Object.values(AREA_OF))].map(
  (area) => [area, (Object.keys(AREA_OF) as (keyof typeof AREA_OF)[]).filter((scope) => AREA_OF[scope] === area)],
);

const VERBS: Record<string, string> = { read: 'read', write: 'change', call: 'call', execute: 'run', emit: 'emit' };
const isOfArea = (scope: Scope): scope is keyof typeof AREA_OF => scope in AREA_OF;
const areaOf = (scope: Scope): string => (isOfArea(scope) ? AREA_OF[scope] : 'Events');
const verbOf = (scope: Scope): string => VERBS[scope.split(':')[1] ?? ''] ?? scope;

/** Permissions of a key, one entry for each area: "Agents: read, call". */
export function scopeWords(scopes: readonly Scope[]): string[] {
  const others = scopes.filter((scope) => scope !== '*' && scope !== 'approvals:answer');
  const areas = [...new Set(others.map(areaOf))];
  return [
    ...(scopes.includes('*')
      ? ['Full access']
      : areas.map(
          (area) =>
            `${area}: ${others
              .filter((scope) => areaOf(scope) === area)
              .map(verbOf)
              .join(', ')}`,
        )),
    ...(scopes.includes('approvals:answer') ? ['Answers approvals'] : []),
  ];
}
