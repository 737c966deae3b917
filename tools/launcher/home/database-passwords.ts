import type { ServiceSecrets } from './secrets';

/** DATABASE_SECOND_PASSWORD of a service: empty unless its password is being rotated. */
export const secondDatabasePassword = (own: ServiceSecrets): string =>
  own.nextDatabasePassword ?? own.previousDatabasePassword ?? '';
