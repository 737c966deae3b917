import type { Schemas } from '../api/schemas';

export type Job = Schemas['JobView'];
/** A job in a list: its metadata is in the single record alone. */
export type JobSummary = Omit<Job, 'metadata'>;
export type JobCallback = Schemas['JobCallbackView'];
export type JobPhase = Job['phase'];
export type NewJob = Schemas['SubmitJobBody'];
export type Task = Schemas['TaskView'];
/** A task in a list: its steps, inputs and metadata are in the single record alone. */
export type TaskSummary = Schemas['TaskSummary'];
export type TaskUsage = Schemas['TaskUsage'];
export type NewTask = Schemas['CreateTask'];
export type TaskChanges = Schemas['TaskChanges'];
export type Execution = Schemas['ExecutionView'];
export type Run = Schemas['RunView'];
