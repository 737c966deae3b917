import { SessionBaseline1700000001000 } from './0001-baseline';
import { TitlesByTrigram1700000002000 } from './0002-titles-by-trigram';
import { PlatformEvents1700000003000 } from './0003-platform-events';
import { ApprovalsOfAccounts1700000004001 } from './0004-approvals-of-accounts';
import { AgentNames1700000005000 } from './0005-agent-names';
import { SessionFillFactor1700000006000 } from './0006-session-fill-factor';

export const migrations = [
  SessionBaseline1700000001000,
  TitlesByTrigram1700000002000,
  PlatformEvents1700000003000,
  ApprovalsOfAccounts1700000004001,
  AgentNames1700000005000,
  SessionFillFactor1700000006000,
];
