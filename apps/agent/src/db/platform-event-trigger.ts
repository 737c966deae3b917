import { ACTION, CALLER, changeEvents, type PlatformEventTrigger } from '@switchyard/database';

const AGENTS: PlatformEventTrigger = {
  service: 'agent',
  table: 'agents',
  status: null,
  ...changeEvents('agent.changed', ['version']),
  facts: { name: 'left(new.name, 1000)', agentId: 'new.id', userId: 'new.created_by', action: ACTION },
  actor: CALLER,
  cause: null,
};

export const PLATFORM_EVENT_TRIGGERS = [AGENTS];
