import { SessionBaseline1700000001000 } from './0001-baseline';

export const migrations = [SessionBaseline1700000001000];
