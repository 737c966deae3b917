import { RelayBaseline1700000001000 } from './0001-baseline';
import { CostsOfTurns1700000002000 } from './0002-costs-of-turns';

export const migrations = [RelayBaseline1700000001000, CostsOfTurns1700000002000];
