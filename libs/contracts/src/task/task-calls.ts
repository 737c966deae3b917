import { defineCall } from '../define/contracts';
import { Deleted, listOf, Nothing, pageOf } from '../define/shapes';
import { DefaultTasks } from '../event-bus/default-tasks';
import { SecretName, SecretUsers } from '../key/secrets';
import { DescribeTasks, EventTask } from './event-tasks';
import { ExecuteTask, ExecutionById, ListExecutions, RerunExecution, SearchExecutions } from './execution-requests';
import { ExecutionView, RunView } from './execution-view';
import { CreateTask, ListTasks, TaskById, UpdateTask } from './task-requests';
import { TaskView } from './task-view';

export const TaskCalls = {
  /** The tasks whose steps name a secret of the Space. */
  secretUsers: defineCall({
    subject: 'task.secret-users',
    request: SecretName,
    reply: SecretUsers,
    access: { scope: 'secrets:read', role: 'MEMBER' },
    callers: ['key'],
  }),
  create: defineCall({
    subject: 'task.create',
    request: CreateTask,
    reply: TaskView,
    errors: ['NOT_FOUND'],
    idempotent: true,
    access: { scope: 'tasks:write', role: 'MEMBER' },
    callers: ['gateway'],
  }),
  list: defineCall({
    subject: 'task.list',
    request: ListTasks,
    reply: pageOf(TaskView),
    access: { scope: 'tasks:read' },
    callers: ['gateway'],
  }),
  get: defineCall({
    subject: 'task.get',
    request: TaskById,
    reply: TaskView,
    errors: ['NOT_FOUND'],
    access: { scope: 'tasks:read' },
    callers: ['gateway'],
  }),
  update: defineCall({
    subject: 'task.update',
    request: UpdateTask,
    reply: TaskView,
    errors: ['NOT_FOUND', 'PRECONDITION_FAILED'],
    access: { scope: 'tasks:write', role: 'MEMBER' },
    callers: ['gateway'],
  }),
  remove: defineCall({
    subject: 'task.remove',
    request: TaskById,
    reply: Deleted,
    errors: ['NOT_FOUND'],
    access: { scope: 'tasks:write', role: 'MEMBER' },
    callers: ['gateway'],
  }),

  /** Starts an execution by hand; it answers at once. One that a run starts is one deeper than the run. */
  execute: defineCall({
    subject: 'task.execute',
    request: ExecuteTask,
    reply: ExecutionView,
    errors: ['NOT_FOUND'],
    idempotent: 'body',
    access: { scope: 'tasks:execute', role: 'MEMBER' },
    callers: ['gateway', 'agent'],
  }),
  listExecutions: defineCall({
    subject: 'task.list-executions',
    request: ListExecutions,
    reply: pageOf(ExecutionView),
    errors: ['NOT_FOUND'],
    access: { scope: 'tasks:read' },
    callers: ['gateway'],
  }),
  /** Of all tasks of the Space. */
  searchExecutions: defineCall({
    subject: 'task.search-executions',
    request: SearchExecutions,
    reply: pageOf(ExecutionView),
    access: { scope: 'tasks:read' },
    callers: ['gateway'],
  }),
  /** A new execution of the task as it is now. */
  rerun: defineCall({
    subject: 'task.rerun-execution',
    request: RerunExecution,
    reply: ExecutionView,
    errors: ['NOT_FOUND'],
    idempotent: 'body',
    access: { scope: 'tasks:execute', role: 'MEMBER' },
    callers: ['gateway'],
  }),
  getExecution: defineCall({
    subject: 'task.get-execution',
    request: ExecutionById,
    reply: ExecutionView,
    errors: ['NOT_FOUND'],
    access: { scope: 'tasks:read' },
    callers: ['gateway'],
  }),
  getRun: defineCall({
    subject: 'task.get-run',
    request: ExecutionById,
    reply: RunView,
    errors: ['NOT_FOUND'],
    access: { scope: 'tasks:read' },
    callers: ['gateway'],
  }),
  cancel: defineCall({
    subject: 'task.cancel-execution',
    request: ExecutionById,
    reply: ExecutionView,
    errors: ['NOT_FOUND', 'CONFLICT'],
    access: { scope: 'tasks:execute', role: 'MEMBER' },
    callers: ['gateway'],
  }),
  retry: defineCall({
    subject: 'task.retry-execution',
    request: ExecutionById,
    reply: ExecutionView,
    errors: ['NOT_FOUND', 'CONFLICT'],
    access: { scope: 'tasks:execute', role: 'MEMBER' },
    callers: ['gateway'],
  }),

  /** The tasks of a Space that are among these ids; a missing one is simply not in the answer. */
  describeEventTasks: defineCall({
    subject: 'task.describe-event-tasks',
    request: DescribeTasks,
    reply: listOf(EventTask),
    access: 'internal',
    callers: ['event-bus'],
  }),
  /** Creates, updates and removes what a manifest brings along. Applying it again changes nothing. */
  applyDefaultTasks: defineCall({
    subject: 'task.apply-default-tasks',
    request: DefaultTasks,
    reply: Nothing,
    errors: ['NOT_FOUND'],
    access: 'internal',
    callers: ['event-bus'],
  }),
};
