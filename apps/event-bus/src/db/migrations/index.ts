import { EventBusBaseline1700000001000 } from './0001-baseline';

export const migrations = [EventBusBaseline1700000001000];
