import { KeyBaseline1700000001000 } from './0001-baseline';
import { NatsAccounts1700000001001 } from './0002-nats-accounts';
import { PlatformEvents1700000001002 } from './0003-platform-events';

export const migrations = [KeyBaseline1700000001000, NatsAccounts1700000001001, PlatformEvents1700000001002];
