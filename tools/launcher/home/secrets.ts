import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { newEd25519 } from '@switchyard/kernel';
// Straight from its file: the library's door would load every contract of the platform.
import { makeKeyValue } from '../../../libs/contracts/src/key/key-format';
import { SERVICES, type ServiceName } from '../service-names';
import { StopSentence } from '../stop-sentence';
import type { Home } from './home';
import { type NatsUser, newNatsUser } from './nats-user';

export interface ServiceKeys {
  privateKey: string;
  publicKey: string;
}

export interface ServiceSecrets {
  nats: NatsUser;
  /** While NATS users are rotated: accepted, and not used yet or not any more. */
  nextNats?: NatsUser;
  previousNats?: NatsUser;
  privateKey: string;
  publicKey: string;
  /** While keys between services are rotated, as with NATS users. */
  nextKeys?: ServiceKeys;
  previousKeys?: ServiceKeys;
  dataKey: string;
  databasePassword: string;
  /** While Postgres passwords are rotated: Postgres accepts this one after the change, or until then. */
  nextDatabasePassword?: string;
  previousDatabasePassword?: string;
}

/** Everything that must stay the same from one start to the next, made once per home. */
export interface Secrets {
  services: Record<ServiceName, ServiceSecrets>;
  /** Of people who look after NATS: no service knows it. */
  natsOperator: NatsUser;
  /** Of the migration, which makes and changes the streams: no service knows it. */
  natsMigration: NatsUser;
  /** Of the platform at the NATS server of companies' services. */
  natsApi: NatsUser;
  /** The operator key that brings users to that server. */
  natsApiOperatorKey: string;
  keyPeppers: string;
  databaseAdminPassword: string;
  /** Postgres may still have this one. */
  previousDatabaseAdminPassword?: string;
  redisPassword: string;
  /** While the password of Redis is rotated, as with NATS users. */
  nextRedisPassword?: string;
  previousRedisPassword?: string;
  ownerEmail: string;
  ownerPassword: string;
}

export function loadSecrets(home: Home, environment: NodeJS.ProcessEnv): Secrets {
  const file = home.file('secrets.json');
  const stored = readStored(file);
  const secrets: Secrets = {
    services: Object.fromEntries(
      SERVICES.map((name) => [name, stored?.services?.[name] ?? newServiceSecrets()]),
    ) as Secrets['services'],
    natsOperator: stored?.natsOperator ?? newNatsUser(),
    natsMigration: stored?.natsMigration ?? newNatsUser(),
    natsApi: stored?.natsApi ?? newNatsUser(),
    natsApiOperatorKey: stored?.natsApiOperatorKey ?? makeKeyValue(randomBytes),
    keyPeppers: stored?.keyPeppers ?? `1:${randomText(32)}`,
    databaseAdminPassword: stored?.databaseAdminPassword ?? randomText(24),
    previousDatabaseAdminPassword: stored?.previousDatabaseAdminPassword,
    redisPassword: stored?.redisPassword ?? randomText(24),
    nextRedisPassword: stored?.nextRedisPassword,
    previousRedisPassword: stored?.previousRedisPassword,
    // The owner is made on the first start only, so what was given then stays true later.
    ownerEmail: stored?.ownerEmail ?? (environment.BOOTSTRAP_EMAIL || 'owner@switchyard.local'),
    ownerPassword: stored?.ownerPassword ?? (environment.BOOTSTRAP_PASSWORD || randomText(15)),
  };
  if (JSON.stringify(stored) !== JSON.stringify(secrets)) saveSecrets(home, secrets);
  chmodSync(file, 0o600);
  return secrets;
}

export function saveSecrets(home: Home, secrets: Secrets): void {
  const file = home.file('secrets.json');
  writeFileSync(`${file}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function readStored(file: string): Partial<Secrets> | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<Secrets>;
  } catch {
    throw new StopSentence(`${file} is not readable as JSON. Restore it, or delete the whole home to begin anew.`);
  }
}

function newServiceSecrets(): ServiceSecrets {
  return {
    nats: newNatsUser(),
    ...newEd25519(),
    dataKey: randomText(32),
    databasePassword: randomText(24),
  };
}

const randomText = (bytes: number): string => randomBytes(bytes).toString('base64url');
