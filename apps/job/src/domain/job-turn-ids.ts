import { uuidOf } from '@switchyard/kernel';

/** The same turn for the same job and count, whichever process asks: a second run finds the first one's turn. */
export const turnOfJob = (jobId: string, count: number): string => uuidOf(`${jobId}:${count}`);

/** All turns of a job that may have been begun: of none, some or all attempts. */
export const turnsOfJob = (jobId: string, count: number): string[] =>
  Array.from({ length: count + 1 }, (_, before) => turnOfJob(jobId, before));
