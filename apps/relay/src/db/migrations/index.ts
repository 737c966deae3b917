import { RelayBaseline1700000001000 } from './0001-baseline';

export const migrations = [RelayBaseline1700000001000];
