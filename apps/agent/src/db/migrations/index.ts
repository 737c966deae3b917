import { CreateAgents1700000000001 } from './0001-agents';
import { CreateMcpApprovals1700000000002 } from './0002-mcp-approvals';
import { IndexAgentsOfASecret1700000000003 } from './0003-agents-of-a-secret';
import { CorrectableMemories1700000000004 } from './0004-correctable-memories';
import { CountKeptFrames1700000000005 } from './0005-kept-frames';
import { LetVersionsGo1700000000006 } from './0006-versions-of-removed-agents';
import { MarkOversizedAgents1700000000007 } from './0007-oversized-agents';
import { FindPrompts1700000000008 } from './0008-prompts';
import { MarkOversizedVersions1700000000009 } from './0009-oversized-versions';

export const migrations = [
  CreateAgents1700000000001,
  CreateMcpApprovals1700000000002,
  IndexAgentsOfASecret1700000000003,
  CorrectableMemories1700000000004,
  CountKeptFrames1700000000005,
  LetVersionsGo1700000000006,
  MarkOversizedAgents1700000000007,
  FindPrompts1700000000008,
  MarkOversizedVersions1700000000009,
];
