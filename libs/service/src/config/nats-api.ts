import { readFileSync } from 'node:fs';
import { f } from '@switchyard/contracts';
import { ServicesConnection, type ServicesConnectionOptions } from '@switchyard/messaging';
import { Env } from './env';

/** Settings of the connection to the NATS server of services: of the gateway and the event bus. */
export interface NatsApiSettings {
  NATS_API_URL?: string;
  NATS_API_NKEY_SEED?: string;
  NATS_API_CREDS?: string;
  NATS_API_TLS_CA?: string;
  NATS_API_TLS_CERT?: string;
  NATS_API_TLS_KEY?: string;
}

/** The key service reads it too: its records name it. */
export const EnvOfNatsApi = () =>
  Env(f.text({ min: 1 }), {
    optional: true,
    reason: "The NATS server of companies' services. Without it the NATS API is off.",
  });

export const EnvOfNatsApiSeed = () =>
  Env(f.text({ min: 50, max: 80 }), {
    optional: true,
    secret: true,
    reason: "The seed of the platform's own user at the NATS server of services.",
  });

export const EnvOfNatsApiCreds = () =>
  Env(f.text({ min: 1 }), {
    optional: true,
    reason: 'A file with the credentials of that user, instead of the seed.',
  });

export const EnvOfNatsApiCa = () =>
  Env(f.text({ min: 1 }), {
    optional: true,
    reason: 'A file with the certificate authority of the NATS server of services. With it the connection uses TLS.',
  });

export const EnvOfNatsApiCert = () =>
  Env(f.text({ min: 1 }), {
    optional: true,
    togetherWith: 'NATS_API_TLS_KEY',
    reason: "A file with the platform's certificate for that server.",
  });

export const EnvOfNatsApiKey = () =>
  Env(f.text({ min: 1 }), {
    optional: true,
    togetherWith: 'NATS_API_TLS_CERT',
    reason: 'A file with the key of that certificate.',
  });

/** A connection with the platform's own user; undefined where the NATS API is off. It is started by its owner. */
export function natsApiConnection(
  settings: NatsApiSettings,
  { name, log }: Pick<ServicesConnectionOptions, 'name' | 'log'>,
): ServicesConnection | undefined {
  const { NATS_API_URL: url, NATS_API_NKEY_SEED: nkeySeed, NATS_API_CREDS: credentials } = settings;
  if (url === undefined) return undefined;
  const { NATS_API_TLS_CA: caFile, NATS_API_TLS_CERT: certFile, NATS_API_TLS_KEY: keyFile } = settings;
  const hasTls = caFile !== undefined || certFile !== undefined || keyFile !== undefined;
  return new ServicesConnection({
    url,
    name,
    ...(nkeySeed === undefined ? {} : { nkeySeed }),
    ...(credentials === undefined ? {} : { credentials: readFileSync(credentials, 'utf8') }),
    ...(hasTls ? { tls: { caFile, certFile, keyFile } } : {}),
    log,
  });
}
