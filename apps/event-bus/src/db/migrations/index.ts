import { EventBusBaseline1700000001000 } from './0001-baseline';
import { Endpoints1700000002000 } from './0002-endpoints';

export const migrations = [EventBusBaseline1700000001000, Endpoints1700000002000];
