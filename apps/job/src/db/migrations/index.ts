import { JobBaseline1700000001000 } from './0001-baseline';
import { PlatformEvents1700000002000 } from './0002-platform-events';
import { EventsAtOnce1700000003000 } from './0003-events-at-once';
import { AgentNames1700000004000 } from './0004-agent-names';
import { LeasedCallbacks1700000005000 } from './0005-leased-callbacks';

export const migrations = [
  JobBaseline1700000001000,
  PlatformEvents1700000002000,
  EventsAtOnce1700000003000,
  AgentNames1700000004000,
  LeasedCallbacks1700000005000,
];
