import { CreateJobs1700000000001 } from './0001-create-jobs';

export const migrations = [CreateJobs1700000000001];
