import { CreateTasks1700000000001 } from './0001-create-tasks';
import { IndexExecutionAge1700000000002 } from './0002-execution-age';
import { FreeExecutionsOfReferences1700000000003 } from './0003-executions-without-references';
import { ListExecutionsOfSpaces1700000000004 } from './0004-execution-lists';
import { CreateReadySpaces1700000000005 } from './0005-ready-spaces';
import { CountExecutions1700000000006 } from './0006-execution-activity';
import { WaitForTurns1700000000007 } from './0007-waiting-executions';
import { IndexSecretNames1700000000008 } from './0008-secret-names';
import { RecordTaskScopes1700000000009 } from './0009-task-scopes';
import { KeepRootsOfExecutions1700000000010 } from './0010-execution-roots';
import { MeasureExecutions1700000000011 } from './0011-execution-bytes';
import { RecordKeysOfRuns1700000000012 } from './0012-keys-of-runs';
import { IndexDeletedTasks1700000000013 } from './0013-deleted-tasks';
import { MarkOversizedTasks1700000000014 } from './0014-oversized-tasks';
import { CountLostExecutions1700000000015 } from './0015-lost-executions';
import { StopClocks1700000000016 } from './0016-stopped-clocks';
import { MovedClocks1700000000017 } from './0017-moved-clocks';

export const migrations = [
  CreateTasks1700000000001,
  IndexExecutionAge1700000000002,
  FreeExecutionsOfReferences1700000000003,
  ListExecutionsOfSpaces1700000000004,
  CreateReadySpaces1700000000005,
  CountExecutions1700000000006,
  WaitForTurns1700000000007,
  IndexSecretNames1700000000008,
  RecordTaskScopes1700000000009,
  KeepRootsOfExecutions1700000000010,
  MeasureExecutions1700000000011,
  RecordKeysOfRuns1700000000012,
  IndexDeletedTasks1700000000013,
  MarkOversizedTasks1700000000014,
  CountLostExecutions1700000000015,
  StopClocks1700000000016,
  MovedClocks1700000000017,
];
