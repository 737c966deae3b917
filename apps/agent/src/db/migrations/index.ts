import { CreateAgents1700000000001 } from './0001-agents';
import { CreateMcpApprovals1700000000002 } from './0002-mcp-approvals';

export const migrations = [CreateAgents1700000000001, CreateMcpApprovals1700000000002];
