import { CreateAgents1700000000001 } from './0001-agents';

export const migrations = [CreateAgents1700000000001];
