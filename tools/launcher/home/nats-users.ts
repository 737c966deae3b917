import { SERVICES, type ServiceName } from '../service-names';
import type { Secrets } from './secrets';

export interface NatsUsers {
  users: Record<ServiceName, string>;
  /** Accepted beside them while users are rotated: the next ones, or the previous ones. */
  otherUsers: Partial<Record<ServiceName, string[]>>;
  operator: string;
  migration: string;
}

/** Public keys of all that may log in to NATS. */
export function natsUsersOf(secrets: Secrets): NatsUsers {
  const others = SERVICES.flatMap((name) => {
    const { nextNats, previousNats } = secrets.services[name];
    const keys = [nextNats, previousNats].flatMap((user) => (user ? [user.publicKey] : []));
    return keys.length > 0 ? [[name, keys] as const] : [];
  });
  return {
    users: Object.fromEntries(SERVICES.map((name) => [name, secrets.services[name].nats.publicKey])) as Record<
      ServiceName,
      string
    >,
    otherUsers: Object.fromEntries(others),
    operator: secrets.natsOperator.publicKey,
    migration: secrets.natsMigration.publicKey,
  };
}
