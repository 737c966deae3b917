import { DatasetBaseline1700000001000 } from './0001-baseline';
import { DatasetEvents1700000002000 } from './0002-platform-events';

export const migrations = [DatasetBaseline1700000001000, DatasetEvents1700000002000];
