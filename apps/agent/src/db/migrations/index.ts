import { AgentBaseline1700000001000 } from './0001-baseline';

export const migrations = [AgentBaseline1700000001000];
