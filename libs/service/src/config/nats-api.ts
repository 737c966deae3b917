import { f } from '@switchyard/contracts';
import type { Gauge } from 'prom-client';
import { ServicesConnection, type ServicesConnectionOptions } from '@switchyard/messaging';
import { Env } from './env';
import type { Metrics } from '../metrics';
import { NatsCredentials, type Validity, validityOfCertificate } from './nats-credentials';

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
    reason:
      "The address of the NATS server to which your customers' services connect. Without it, the NATS API is off.",
  });

export const EnvOfNatsApiSeed = () =>
  Env(f.text({ min: 50, max: 80 }), {
    optional: true,
    secret: true,
    reason: "The seed of the platform's own user on the server in NATS_API_URL.",
  });

export const EnvOfNatsApiCreds = () =>
  Env(f.text({ min: 1 }), {
    optional: true,
    reason:
      "A file with the credentials of the platform's own user on the server in NATS_API_URL, instead of NATS_API_NKEY_SEED.",
  });

export const EnvOfNatsApiCa = () =>
  Env(f.text({ min: 1 }), {
    optional: true,
    reason:
      'A file with the certificate authority of the server in NATS_API_URL. If it is set, the connection uses TLS.',
  });

export const EnvOfNatsApiCert = () =>
  Env(f.text({ min: 1 }), {
    optional: true,
    togetherWith: 'NATS_API_TLS_KEY',
    reason: "A file with the platform's client certificate for the server in NATS_API_URL.",
  });

export const EnvOfNatsApiKey = () =>
  Env(f.text({ min: 1 }), {
    optional: true,
    togetherWith: 'NATS_API_TLS_CERT',
    reason: 'A file with the key of the certificate in NATS_API_TLS_CERT.',
  });

/** A connection with the platform's own user; undefined where the NATS API is off. It is started by its owner. */
export function natsApiConnection(
  settings: NatsApiSettings,
  { name, log, metrics }: Pick<ServicesConnectionOptions, 'name' | 'log'> & { metrics?: Metrics },
): ServicesConnection | undefined {
  const { NATS_API_URL: url, NATS_API_NKEY_SEED: nkeySeed, NATS_API_CREDS: credentialsFile } = settings;
  if (url === undefined) return undefined;
  const { NATS_API_TLS_CA: caFile, NATS_API_TLS_CERT: certFile, NATS_API_TLS_KEY: keyFile } = settings;
  const hasTls = caFile !== undefined || certFile !== undefined || keyFile !== undefined;
  const credentials = credentialsFile === undefined ? undefined : new NatsCredentials(credentialsFile, log);
  const connection = new ServicesConnection({
    url,
    name,
    ...(nkeySeed === undefined ? {} : { nkeySeed }),
    ...(credentials === undefined ? {} : { credentials: () => credentials.read() }),
    ...(hasTls ? { tls: { caFile, certFile, keyFile } } : {}),
    log,
  });
  if (metrics) measure(metrics, connection, { credentials, certFile });
  return connection;
}

function measure(
  metrics: Metrics,
  connection: ServicesConnection,
  { credentials, certFile }: { credentials: NatsCredentials | undefined; certFile: string | undefined },
): void {
  metrics.gauge(
    'switchyard_nats_api_up',
    '1 while this process is connected to the server in NATS_API_URL.',
    [],
    (gauge) => {
      gauge.set(connection.isUp ? 1 : 0);
    },
  );
  const validity = (): [string, Validity | null][] => [
    ['user', credentials?.validity ?? null],
    ['certificate', certFile === undefined ? null : validityOfCertificate(certFile)],
  ];
  const set =
    (at: keyof Validity) =>
    (gauge: Gauge<'kind'>): void => {
      gauge.reset();
      for (const [kind, valid] of validity()) if (valid) gauge.set({ kind }, valid[at]);
    };
  metrics.gauge(
    'switchyard_nats_api_credentials_issued_timestamp_seconds',
    "When the platform's credentials for the server in NATS_API_URL were issued. Absent if they do not expire.",
    ['kind'],
    set('issued'),
  );
  metrics.gauge(
    'switchyard_nats_api_credentials_expire_timestamp_seconds',
    "When the platform's credentials for the server in NATS_API_URL expire. Absent if they do not expire.",
    ['kind'],
    set('expire'),
  );
}
