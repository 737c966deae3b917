import { ExecuteTask, ExecutionView, JobCalls, JobView, TaskCalls } from '@switchyard/contracts';
import { SubmitJobBody } from '../../jobs/jobs.dto';
import { submission } from '../../jobs/jobs.map';
import { defineTool, toolOf } from '../tool';
import { KeyField } from '../tool-key';

class ExecuteTaskArguments extends ExecuteTask {
  @KeyField() idempotencyKey?: string;
}

export const workTools = [
  defineTool({
    name: 'submit_job',
    title: 'Submit a background job',
    description: 'Runs an agent in the background; read the job with get_job until its phase is final.',
    calls: JobCalls.submit,
    hints: {},
    input: SubmitJobBody,
    output: JobView,
    run: async (input, { bus, ctx }) => bus.call(JobCalls.submit, ctx, submission(input)),
  }),
  toolOf({
    name: 'get_job',
    title: 'Read a job',
    description: 'Phase, progress, result or error of a background job.',
    calls: JobCalls.get,
    hints: { readOnly: true },
  }),
  toolOf({
    name: 'cancel_job',
    title: 'Cancel a job',
    description: 'Asks a background job to stop.',
    calls: JobCalls.cancel,
    hints: { destructive: true, idempotent: true },
  }),
  toolOf({
    name: 'list_tasks',
    title: 'List tasks',
    description: 'The tasks of the Space, newest first.',
    calls: TaskCalls.list,
    hints: { readOnly: true },
  }),
  defineTool({
    name: 'execute_task',
    title: 'Execute a task',
    description: 'Starts an execution of a task; read it with get_execution.',
    calls: TaskCalls.execute,
    hints: {},
    input: ExecuteTaskArguments,
    output: ExecutionView,
    run: (input, { bus, ctx }) => bus.call(TaskCalls.execute, ctx, input),
  }),
  toolOf({
    name: 'get_execution',
    title: 'Read an execution',
    description: 'Status, steps and output of an execution.',
    calls: TaskCalls.getExecution,
    hints: { readOnly: true },
  }),
];
