import type { CredentialType, Ctx } from '@switchyard/contracts';

const PLAIN_ID = /^[\w.:-]{1,128}$/u;

const ACTORS: Partial<Record<CredentialType, string>> = {
  jwt: 'user',
  operator_key: 'operator',
  nats_account: 'account',
};

/**
 * The caller of a transaction and the run that it belongs to, for triggers that raise events of the platform:
 * `app.actor` is `user <id>`, `key <id>`, `account <id>` or `operator <id>`, and `app.cause` part of a context.
 */
export const callerSql = (ctx: Ctx): string => `${actorSql(ctx)}${causeSql(ctx)}`;

function actorSql({ credentialType, credentialId, userId, operator }: Ctx): string {
  if (credentialType === 'service') return '';
  const type = operator === undefined ? (ACTORS[credentialType] ?? 'key') : 'operator';
  const id = type === 'key' || type === 'account' ? credentialId : (userId ?? credentialId);
  return id !== null && PLAIN_ID.test(id) ? `, set_config('app.actor', '${type} ${id}', true)` : '';
}

function causeSql({ causationId, correlationId, depth, lineage }: Ctx): string {
  if (causationId === null && lineage === undefined) return '';
  const cause = JSON.stringify({ causationId, correlationId, depth, lineage });
  return `, set_config('app.cause', '${cause.replaceAll("'", "''")}', true)`;
}
