import type { ApiKey } from '@switchyard/client';

export type Scope = ApiKey['scopes'][number];

/** Rows of the table of scopes: what a key may touch, and how. */
export const AREAS: readonly (readonly [string, readonly Scope[]])[] = [
  ['Agents', ['agents:read', 'agents:write', 'agents:call']],
  ['Sessions', ['sessions:read', 'sessions:write']],
  ['Jobs', ['jobs:read', 'jobs:write']],
  ['Tasks', ['tasks:read', 'tasks:write', 'tasks:execute']],
  ['Datasets', ['datasets:read', 'datasets:write']],
  ['Events', ['events:read', 'events:write']],
  ['Models', ['models:call']],
  ['MCP', ['mcp:call']],
  ['Keys', ['keys:read', 'keys:write']],
  ['Secrets', ['secrets:read', 'secrets:write']],
  ['Space', ['spaces:read', 'spaces:write']],
];
