import type { Ctx } from '@switchyard/contracts';

const PLAIN_ID = /^[\w.:-]{1,128}$/u;

/** The caller, for triggers that tell events of the platform: `user <id>`, `key <id>` or `operator <id>`. */
export function actorSql({ credentialType, credentialId, userId, operator }: Ctx): string {
  if (credentialType === 'service') return '';
  const type =
    operator !== undefined || credentialType === 'operator_key'
      ? 'operator'
      : credentialType === 'jwt'
        ? 'user'
        : 'key';
  const id = type === 'key' ? credentialId : (userId ?? credentialId);
  return id !== null && PLAIN_ID.test(id) ? `, set_config('app.actor', '${type} ${id}', true)` : '';
}
