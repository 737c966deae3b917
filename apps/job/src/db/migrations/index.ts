import { JobBaseline1700000001000 } from './0001-baseline';

export const migrations = [JobBaseline1700000001000];
