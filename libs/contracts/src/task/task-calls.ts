import { defineCall } from '../define/define-contracts';
import { Count, Deleted, listOf, Nothing, pageOf } from '../define/common-shapes';
import { InSpace } from '../key/spaces';
import { DefaultTasks } from '../event-bus/default-tasks';
import { QueuedOfSpace } from '../gateway/space-usage';
import { SecretName, SecretUsers } from '../key/secrets';
import { DescribeTasks, EventTask } from './event-tasks';
import {
  ExecuteTask,
  ExecuteTaskBody,
  ExecutionById,
  ListExecutions,
  ListExecutionsQuery,
  RerunExecution,
  RerunExecutionBody,
  SearchExecutions,
  TryStep,
  TryStepBody,
} from './execution-requests';
import { ExecutionView, RunView } from './execution-view';
import { STEP_TYPES, stepDeclaration } from './step-types';
import { CreateTask, ListTasks, TaskById, TaskChanges, UpdateTask } from './task-requests';
import { TaskUsage, TaskUsageQuery, UsageOfTask } from './task-usage';
import { TaskSummary, TaskView } from './task-view';

const STEPS = `A task runs its steps in order, with the rights of its owner: the person who last saved its steps or inputs.

Each step is \`{id, type, if?, with, retry?, continueOnError?}\`. The fields of \`with\`, by type:

${STEP_TYPES.map((type) => `- \`${type}\`: ${stepDeclaration(type).withText}`).join('\n')}

Texts are templates: \`{{ path | filter }}\` over \`execution.inputs\`, \`execution.inputs.trigger\` and \`steps.<id>.output\`. A text that is
exactly one expression keeps the value's type. Paths read own properties, filters are a fixed list, nothing else is evaluated.`;

export const TaskCalls = {
  /** Tasks whose steps use a secret of the Space. */
  secretUsers: defineCall({
    subject: 'task.secret-users',
    request: SecretName,
    reply: SecretUsers,
    access: { scope: 'secrets:read', role: 'MEMBER' },
    callers: ['key'],
  }),
  countTasks: defineCall({
    subject: 'task.count-tasks',
    request: InSpace,
    reply: Count,
    access: 'internal',
    callers: ['key'],
  }),
  create: defineCall({
    subject: 'task.create',
    request: CreateTask,
    reply: TaskView,
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
    access: { scope: 'tasks:write', role: 'MEMBER' },
    callers: ['gateway'],
    http: {
      name: 'createTask',
      method: 'POST',
      path: '/tasks',
      status: 201,
      summary: 'Create a task',
      description: STEPS,
      message: 'Task created.',
    },
  }),
  list: defineCall({
    subject: 'task.list',
    request: ListTasks,
    reply: pageOf(TaskSummary),
    access: { scope: 'tasks:read' },
    callers: ['gateway'],
    http: {
      name: 'listTasks',
      method: 'GET',
      path: '/tasks',
      summary: 'List tasks',
      description: 'Newest first. Steps, inputs and metadata are in the single record.',
      message: 'Tasks.',
    },
    tool: {
      name: 'list_tasks',
      title: 'List tasks',
      description: 'The tasks of the Space, newest first.',
      readOnly: true,
    },
  }),
  get: defineCall({
    subject: 'task.get',
    request: TaskById,
    reply: TaskView,
    errors: ['NOT_FOUND'],
    access: { scope: 'tasks:read' },
    callers: ['gateway'],
    http: { name: 'getTask', method: 'GET', path: '/tasks/:taskId', summary: 'Read a task', message: 'The task.' },
  }),
  update: defineCall({
    subject: 'task.update',
    request: UpdateTask,
    reply: TaskView,
    errors: ['NOT_FOUND', 'PRECONDITION_FAILED'],
    access: { scope: 'tasks:write', role: 'MEMBER' },
    callers: ['gateway'],
    http: {
      name: 'updateTask',
      method: 'PUT',
      path: '/tasks/:taskId',
      summary: 'Change a task',
      description: `Replaces the given fields and keeps the others. If you change steps or inputs, you become the owner.\n\n${STEPS}`,
      message: 'Task changed.',
      body: TaskChanges,
      bodyField: 'changes',
    },
  }),
  remove: defineCall({
    subject: 'task.remove',
    request: TaskById,
    reply: Deleted,
    errors: ['NOT_FOUND'],
    access: { scope: 'tasks:write', role: 'MEMBER' },
    callers: ['gateway'],
    http: {
      name: 'deleteTask',
      method: 'DELETE',
      path: '/tasks/:taskId',
      summary: 'Delete a task',
      description: 'Cancels its running and queued executions. Its subscriptions are deleted a moment later.',
      message: 'Task deleted.',
    },
  }),

  /** Starts an execution and replies at once. From a run, its depth is one more than the run's. */
  execute: defineCall({
    subject: 'task.execute',
    request: ExecuteTask,
    reply: ExecutionView,
    errors: ['NOT_FOUND'],
    idempotent: 'body',
    access: { scope: 'tasks:execute', role: 'MEMBER' },
    callers: ['gateway', 'agent'],
    http: {
      name: 'executeTask',
      method: 'POST',
      path: '/tasks/:taskId/execute',
      status: 202,
      summary: 'Start an execution by hand',
      description:
        'It runs in the background, also when the task is inactive. Over its concurrency limit a task of the policy SKIP answers an execution that is SKIPPED.',
      message: 'Execution accepted.',
      body: ExecuteTaskBody,
    },
    tool: {
      name: 'execute_task',
      title: 'Execute a task',
      description: 'Starts an execution of a task; read it with get_execution.',
    },
  }),
  listExecutions: defineCall({
    subject: 'task.list-executions',
    request: ListExecutions,
    reply: pageOf(ExecutionView),
    errors: ['NOT_FOUND'],
    access: { scope: 'tasks:read' },
    callers: ['gateway'],
    http: {
      name: 'listTaskExecutions',
      method: 'GET',
      path: '/tasks/:taskId/executions',
      summary: "List a task's executions",
      message: 'Executions.',
      query: ListExecutionsQuery,
    },
  }),
  usage: defineCall({
    subject: 'task.usage',
    request: UsageOfTask,
    reply: TaskUsage,
    errors: ['NOT_FOUND'],
    access: { scope: 'tasks:read' },
    callers: ['gateway'],
    http: {
      name: 'getTaskUsage',
      method: 'GET',
      path: '/tasks/:taskId/usage',
      summary: 'Read the runs, failures and cost of a task',
      description:
        'The cost is that of the model calls of its agent steps. For a task with very many runs, only the newest are summed: `costOf` is their number.',
      message: 'Usage.',
      query: TaskUsageQuery,
    },
  }),
  /** Executions of all tasks of the Space. */
  searchExecutions: defineCall({
    subject: 'task.search-executions',
    request: SearchExecutions,
    reply: pageOf(ExecutionView),
    access: { scope: 'tasks:read' },
    callers: ['gateway'],
    http: {
      name: 'listExecutions',
      method: 'GET',
      path: '/tasks/executions',
      summary: "List the executions of all the Space's tasks",
      description: 'Newest first. Inputs and outputs over 16 KiB are left out; the single record has them.',
      message: 'Executions.',
    },
  }),
  /** A new execution of the current task. */
  rerun: defineCall({
    subject: 'task.rerun-execution',
    request: RerunExecution,
    reply: ExecutionView,
    errors: ['NOT_FOUND'],
    idempotent: 'body',
    access: { scope: 'tasks:execute', role: 'MEMBER' },
    callers: ['gateway'],
    http: {
      name: 'rerunExecution',
      method: 'POST',
      path: '/tasks/executions/:executionId/rerun',
      status: 202,
      summary: 'Run the task of an execution again, with the same or other inputs',
      description:
        "A new execution of the task as it is now; `rerunOf` names the old one. The rerun of an event's run keeps its trigger.",
      message: 'Execution accepted.',
      body: RerunExecutionBody,
    },
  }),
  /** A new execution of one step alone. */
  tryStep: defineCall({
    subject: 'task.try-step',
    request: TryStep,
    reply: ExecutionView,
    errors: ['NOT_FOUND'],
    idempotent: 'body',
    access: { scope: 'tasks:execute', role: 'MEMBER' },
    callers: ['gateway'],
    http: {
      name: 'tryStep',
      method: 'POST',
      path: '/tasks/executions/:executionId/try',
      status: 202,
      summary: 'Try one step with the inputs and results of an execution',
      description:
        'A new execution of this step alone, for real, with one attempt: its templates read the inputs, the trigger and the step results of the old execution, which `rerunOf` names. `triedStep` is the id of the step.',
      message: 'Execution accepted.',
      body: TryStepBody,
    },
  }),
  getExecution: defineCall({
    subject: 'task.get-execution',
    request: ExecutionById,
    reply: ExecutionView,
    errors: ['NOT_FOUND'],
    access: { scope: 'tasks:read' },
    callers: ['gateway'],
    http: {
      name: 'getExecution',
      method: 'GET',
      path: '/tasks/executions/:executionId',
      summary: 'Read an execution with its steps',
      description:
        'All of it up to 8 MiB; beyond that its longest fields are `{truncated: true, bytes, content}`, and a GET of `content` has the field.',
      message: 'The execution.',
    },
    tool: {
      name: 'get_execution',
      title: 'Read an execution',
      description: 'Status, steps and output of an execution.',
      readOnly: true,
    },
  }),
  getRun: defineCall({
    subject: 'task.get-run',
    request: ExecutionById,
    reply: RunView,
    errors: ['NOT_FOUND'],
    access: { scope: 'tasks:read' },
    callers: ['gateway'],
    http: {
      name: 'getRun',
      method: 'GET',
      path: '/tasks/runs/:executionId',
      summary: 'Read the progress of an execution',
      message: 'The run.',
    },
  }),
  cancel: defineCall({
    subject: 'task.cancel-execution',
    request: ExecutionById,
    reply: ExecutionView,
    errors: ['NOT_FOUND', 'CONFLICT'],
    access: { scope: 'tasks:execute', role: 'MEMBER' },
    callers: ['gateway'],
    http: {
      name: 'cancelExecution',
      method: 'POST',
      path: '/tasks/executions/:executionId/cancel',
      summary: 'Cancel an execution',
      description: 'Cancelling it again changes nothing; one that has ended otherwise is 409.',
      message: 'Execution cancelled.',
    },
  }),
  retry: defineCall({
    subject: 'task.retry-execution',
    request: ExecutionById,
    reply: ExecutionView,
    errors: ['NOT_FOUND', 'CONFLICT'],
    access: { scope: 'tasks:execute', role: 'MEMBER' },
    callers: ['gateway'],
    http: {
      name: 'retryExecution',
      method: 'POST',
      path: '/tasks/executions/:executionId/retry',
      status: 202,
      summary: 'Run an execution again from the step that failed',
      description:
        'The same execution with the next attempt; steps that have a result are not run again. Only FAILED, TIMED_OUT and CANCELLED ones.',
      message: 'Execution accepted again.',
    },
  }),

  /** The tasks with these ids; missing ones are omitted. */
  describeEventTasks: defineCall({
    subject: 'task.describe-event-tasks',
    request: DescribeTasks,
    reply: listOf(EventTask),
    access: 'internal',
    callers: ['event-bus'],
  }),
  /** Creates, updates and removes an application's tasks. Idempotent. */
  applyDefaultTasks: defineCall({
    subject: 'task.apply-default-tasks',
    request: DefaultTasks,
    reply: Nothing,
    errors: ['NOT_FOUND', 'CONFLICT'],
    access: 'internal',
    callers: ['event-bus'],
  }),
  /** Spaces with the longest queues. */
  topQueued: defineCall({
    subject: 'task.top-queued',
    request: Nothing,
    reply: listOf(QueuedOfSpace),
    access: 'internal',
    callers: ['gateway'],
  }),
};
