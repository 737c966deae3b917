import type { Schemas } from '../api/schemas';

export type Job = Schemas['JobView'];
export type JobCallback = Schemas['JobCallbackView'];
export type JobPhase = Job['phase'];
export type NewJob = Schemas['SubmitJobBody'];
export type Task = Schemas['TaskView'];
export type NewTask = Schemas['CreateTask'];
export type TaskChanges = Schemas['TaskChanges'];
export type Execution = Schemas['ExecutionView'];
export type Run = Schemas['RunView'];
