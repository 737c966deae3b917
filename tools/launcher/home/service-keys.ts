import { SERVICES } from '../service-names';
import type { Secrets, ServiceKeys, ServiceSecrets } from './secrets';

/** The first one is used, all are accepted. */
const acceptedKeys = ({ privateKey, publicKey, nextKeys, previousKeys }: ServiceSecrets): ServiceKeys[] =>
  [{ privateKey, publicKey }, nextKeys, previousKeys].filter((keys) => keys !== undefined);

/** SERVICE_PRIVATE_KEY of a service. */
export const servicePrivateKey = (own: ServiceSecrets): string =>
  acceptedKeys(own)
    .map((keys) => keys.privateKey)
    .join(',');

/** SERVICE_PUBLIC_KEYS of each service. */
export const servicePublicKeys = ({ services }: Secrets): string =>
  JSON.stringify(
    Object.fromEntries(
      SERVICES.map((name) => [
        name,
        acceptedKeys(services[name])
          .map((keys) => keys.publicKey)
          .join(','),
      ]),
    ),
  );
