import { AgentBaseline1700000001000 } from './0001-baseline';
import { AgentEvents1700000002000 } from './0002-platform-events';

export const migrations = [AgentBaseline1700000001000, AgentEvents1700000002000];
