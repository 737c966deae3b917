import { CreateConversations1700000000001 } from './0001-create-conversations';
import { CreateTurns1700000000002 } from './0002-create-turns';
import { CountTurns1700000000003 } from './0003-turn-activity';
import { AddApprovals1700000000004 } from './0004-approvals';
import { FindTurnsByRoot1700000000005 } from './0005-turn-roots';
import { KeepReasoning1700000000006 } from './0006-reasoning';
import { DeferTurns1700000000007 } from './0007-deferred-turns';
import { FindMessagesByTurn1700000000008 } from './0008-messages-of-turns';
import { SumUpLatency1700000000009 } from './0009-latency';
import { FindRunningTurnsByKey1700000000010 } from './0010-turns-held';
import { ListSessionsByTime1700000000011 } from './0011-sessions-by-time';
import { SessionsOfAnAgent1700000000012 } from './0012-sessions-of-an-agent';
import { SessionsByTitle1700000000013 } from './0013-sessions-by-title';
import { ApprovalsByOthers1700000000014 } from './0014-approvals-by-others';
import { CountLostTurns1700000000015 } from './0015-lost-turns';
import { WeighToolResults1700000000016 } from './0016-weighed-tool-results';
import { StopClocks1700000000017 } from './0017-stopped-clocks';
import { MarkOversizedSessions1700000000018 } from './0018-oversized-sessions';
import { MovedClocks1700000000019 } from './0019-moved-clocks';

export const migrations = [
  CreateConversations1700000000001,
  CreateTurns1700000000002,
  CountTurns1700000000003,
  AddApprovals1700000000004,
  FindTurnsByRoot1700000000005,
  KeepReasoning1700000000006,
  DeferTurns1700000000007,
  FindMessagesByTurn1700000000008,
  SumUpLatency1700000000009,
  FindRunningTurnsByKey1700000000010,
  ListSessionsByTime1700000000011,
  SessionsOfAnAgent1700000000012,
  SessionsByTitle1700000000013,
  ApprovalsByOthers1700000000014,
  CountLostTurns1700000000015,
  WeighToolResults1700000000016,
  StopClocks1700000000017,
  MarkOversizedSessions1700000000018,
  MovedClocks1700000000019,
];
