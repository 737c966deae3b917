import { TaskBaseline1700000001000 } from './0001-baseline';

export const migrations = [TaskBaseline1700000001000];
