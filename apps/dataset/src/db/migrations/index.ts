import { DatasetBaseline1700000001000 } from './0001-baseline';

export const migrations = [DatasetBaseline1700000001000];
