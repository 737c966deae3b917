import { CreateTasks1700000000001 } from './0001-create-tasks';
import { IndexExecutionAge1700000000002 } from './0002-execution-age';
import { FreeExecutionsOfReferences1700000000003 } from './0003-executions-without-references';

export const migrations = [
  CreateTasks1700000000001,
  IndexExecutionAge1700000000002,
  FreeExecutionsOfReferences1700000000003,
];
