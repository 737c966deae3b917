import { CreateTasks1700000000001 } from './0001-create-tasks';

export const migrations = [CreateTasks1700000000001];
