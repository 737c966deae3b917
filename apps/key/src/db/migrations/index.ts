import { KeyBaseline1700000001000 } from './0001-baseline';

export const migrations = [KeyBaseline1700000001000];
