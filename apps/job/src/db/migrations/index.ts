import { CreateJobs1700000000001 } from './0001-create-jobs';
import { IndexJobAge1700000000002 } from './0002-job-age';

export const migrations = [CreateJobs1700000000001, IndexJobAge1700000000002];
