import type { EventActor, Identity } from '@switchyard/contracts';

/** The actor of a security event. An unauthenticated caller is a user without an id. */
export function actorOf(
  identity: Pick<Identity, 'operator' | 'credentialType' | 'credentialId' | 'userId'>,
  /** Of a NATS account: the id that people know. */
  accountId: string | null = null,
): EventActor {
  const { operator, credentialType, credentialId, userId } = identity;
  if (operator) return userId === null ? { type: 'machine' } : { type: 'operator', id: userId };
  if (credentialType === 'api_key' || credentialType === 'system_key') return named('key', credentialId);
  if (credentialType === 'nats_account') return named('account', accountId);
  if (userId !== null) return { type: 'user', id: userId };
  return credentialId === 'gateway' ? { type: 'user' } : { type: 'machine' };
}

const named = (type: EventActor['type'], id: string | null): EventActor => (id === null ? { type } : { type, id });
