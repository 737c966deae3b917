import { CreateConversations1700000000001 } from './0001-create-conversations';
import { CreateTurns1700000000002 } from './0002-create-turns';

export const migrations = [CreateConversations1700000000001, CreateTurns1700000000002];
