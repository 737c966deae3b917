import { CreateIdentity1700000000001 } from './0001-create-identity';
import { CreateCredentials1700000000002 } from './0002-create-credentials';
import { CreateAuditLogs1700000000003 } from './0003-create-audit-logs';

export const migrations = [CreateIdentity1700000000001, CreateCredentials1700000000002, CreateAuditLogs1700000000003];
