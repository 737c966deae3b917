import {
  ExecuteTask,
  ExecutionById,
  ExecutionView,
  JobById,
  JobCalls,
  JobView,
  ListTasks,
  TaskCalls,
  TaskView,
  pageOf,
} from '@switchyard/contracts';
import { SubmitJobBody } from '../../jobs/jobs.dto';
import { submission } from '../../jobs/jobs.map';
import { defineTool } from '../tool';
import { KeyField } from '../tool-key';

class ExecuteTaskArguments extends ExecuteTask {
  @KeyField() idempotencyKey?: string;
}

export const workTools = [
  defineTool({
    name: 'submit_job',
    title: 'Submit a background job',
    description: 'Runs an agent in the background; read the job with get_job until its phase is final.',
    scope: 'jobs:write',
    role: 'MEMBER',
    keyed: true,
    hints: {},
    input: SubmitJobBody,
    output: JobView,
    run: async (input, { bus, ctx }) => bus.call(JobCalls.submit, ctx, submission(input)),
  }),
  defineTool({
    name: 'get_job',
    title: 'Read a job',
    description: 'Phase, progress, result or error of a background job.',
    scope: 'jobs:read',
    hints: { readOnly: true },
    input: JobById,
    output: JobView,
    run: (input, { bus, ctx }) => bus.call(JobCalls.get, ctx, input),
  }),
  defineTool({
    name: 'cancel_job',
    title: 'Cancel a job',
    description: 'Asks a background job to stop.',
    scope: 'jobs:write',
    role: 'MEMBER',
    hints: { destructive: true, idempotent: true },
    input: JobById,
    output: JobView,
    run: (input, { bus, ctx }) => bus.call(JobCalls.cancel, ctx, input),
  }),
  defineTool({
    name: 'list_tasks',
    title: 'List tasks',
    description: 'The tasks of the Space, newest first.',
    scope: 'tasks:read',
    hints: { readOnly: true },
    input: ListTasks,
    output: pageOf(TaskView),
    run: (input, { bus, ctx }) => bus.call(TaskCalls.list, ctx, input),
  }),
  defineTool({
    name: 'execute_task',
    title: 'Execute a task',
    description: 'Starts an execution of a task; read it with get_execution.',
    scope: 'tasks:execute',
    role: 'MEMBER',
    keyed: true,
    hints: {},
    input: ExecuteTaskArguments,
    output: ExecutionView,
    run: (input, { bus, ctx }) => bus.call(TaskCalls.execute, ctx, input),
  }),
  defineTool({
    name: 'get_execution',
    title: 'Read an execution',
    description: 'Status, steps and output of an execution.',
    scope: 'tasks:read',
    hints: { readOnly: true },
    input: ExecutionById,
    output: ExecutionView,
    run: (input, { bus, ctx }) => bus.call(TaskCalls.getExecution, ctx, input),
  }),
];
