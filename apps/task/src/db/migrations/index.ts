import { TaskBaseline1700000001000 } from './0001-baseline';
import { PlatformEvents1700000002000 } from './0002-platform-events';
import { EventsAtOnce1700000003000 } from './0003-events-at-once';
import { TaskChanges1700000004000 } from './0004-task-changes';
import { TriedSteps1700000005000 } from './0005-tried-steps';
import { TrialsWithoutEvents1700000006000 } from './0006-trials-without-events';

export const migrations = [
  TaskBaseline1700000001000,
  PlatformEvents1700000002000,
  EventsAtOnce1700000003000,
  TaskChanges1700000004000,
  TriedSteps1700000005000,
  TrialsWithoutEvents1700000006000,
];
