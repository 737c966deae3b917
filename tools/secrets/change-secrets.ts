import { randomBytes } from 'node:crypto';
import { newEd25519 } from '@switchyard/kernel';
import { makeKeyValue } from '../../libs/contracts/src/key/key-format';
import { newNatsUser } from '../launcher/home/nats-user';
import type { Secrets, ServiceSecrets } from '../launcher/home/secrets';
import { StopSentence } from '../launcher/stop-sentence';
import { ENCRYPTING_SERVICES, type PlatformSecret, changeable } from './platform-secrets';

/** With two values: `add`, `use`, `finish`, each on all processes before the next one. With one: `replace`. */
export const STEPS = ['add', 'use', 'finish', 'replace'] as const;
export type RotationStep = (typeof STEPS)[number];

const random = (bytes: number): string => randomBytes(bytes).toString('base64url');

/** The secrets after a step; refused if it is not the turn of that step. */
export function changeSecrets(secrets: Secrets, step: RotationStep, name: string): Secrets {
  const secret = changeable().find((each) => each.name === name);
  if (!secret) {
    const names = changeable().map((each) => each.name);
    throw new StopSentence(`${name} is no secret that this command changes. It changes ${names.join(', ')}.`);
  }
  const hasTwoValues = secret.rotation === 'two values';
  if (hasTwoValues === (step === 'replace'))
    throw new StopSentence(`${name} takes ${hasTwoValues ? 'add, use and finish' : 'replace'}, not ${step}.`);
  const changed = structuredClone(secrets);
  if (step === 'replace') replaceOne(changed, secret);
  else changeTwo(changed, step, secret);
  return changed;
}

function changeTwo(secrets: Secrets, step: Exclude<RotationStep, 'replace'>, { name }: PlatformSecret): void {
  switch (name) {
    case 'peppers':
      secrets.keyPeppers = changeList(secrets.keyPeppers, step, name);
      return;
    case 'data-keys':
      for (const service of ENCRYPTING_SERVICES) {
        const own = secrets.services[service];
        own.dataKey = changeList(own.dataKey, step, name);
      }
      return;
    case 'service-keys':
      for (const own of Object.values(secrets.services)) changeServiceKeys(own, step, name);
      return;
    case 'redis-password':
      changeRedisPassword(secrets, step, name);
      return;
    case 'database-passwords':
      for (const own of Object.values(secrets.services)) changeDatabasePassword(own, step, name);
      return;
    default:
      for (const own of Object.values(secrets.services)) changeNatsUser(own, step, name);
  }
}

interface Entry {
  version: number;
  key: string;
}

const entriesOf = (list: string): Entry[] =>
  list.split(',').map((entry) => {
    const [, version = '1', key = ''] = /^(?:(\d+):)?(.*)$/.exec(entry.trim()) ?? [];
    return { version: Number(version), key };
  });

const listOf = (entries: readonly Entry[]): string => entries.map(({ version, key }) => `${version}:${key}`).join(',');

/** `1:<key>` becomes `1:<key>,2:<key>`, then `2:<key>,1:<key>`, then `2:<key>`. */
function changeList(list: string, step: Exclude<RotationStep, 'replace'>, name: string): string {
  const entries = entriesOf(list);
  const newest = Math.max(...entries.map(({ version }) => version));
  const [first, ...others] = entries;
  if (step === 'add') {
    if (others.length > 0) throw notItsTurn(name, 'already has a second value. Continue with use, or with finish.');
    return listOf([...entries, { version: newest + 1, key: random(32) }]);
  }
  if (others.length === 0 || !first) throw notItsTurn(name, 'has one value. Begin with add.');
  if (step === 'use') {
    if (first.version === newest) throw notItsTurn(name, 'already uses the new value. Continue with finish.');
    return listOf([...entries].sort((a, b) => b.version - a.version));
  }
  if (first.version !== newest) throw notItsTurn(name, 'does not use the new value yet. Continue with use.');
  return listOf([first]);
}

interface Pair<T> {
  used: T;
  next?: T;
  previous?: T;
}

/** The new value comes as `next`, is used with the old one as `previous`, and is alone then. */
function changePair<T>(
  { used, next, previous }: Pair<T>,
  step: Exclude<RotationStep, 'replace'>,
  { name, make }: { name: string; make: () => T },
): Pair<T> {
  switch (step) {
    case 'add':
      if (next || previous) throw notItsTurn(name, 'already have a second value. Continue with use, or with finish.');
      return { used, next: make() };
    case 'use':
      if (!next) throw notItsTurn(name, 'have no new value. Begin with add.');
      return { used: next, previous: used };
    case 'finish':
      if (!previous) throw notItsTurn(name, 'do not use a new value yet. Continue with use.');
      return { used };
  }
}

function changeNatsUser(own: ServiceSecrets, step: Exclude<RotationStep, 'replace'>, name: string): void {
  const { nats: used, nextNats: next, previousNats: previous } = own;
  const changed = changePair({ used, next, previous }, step, { name, make: newNatsUser });
  own.nats = changed.used;
  own.nextNats = changed.next;
  own.previousNats = changed.previous;
}

function changeServiceKeys(own: ServiceSecrets, step: Exclude<RotationStep, 'replace'>, name: string): void {
  const { privateKey, publicKey, nextKeys: next, previousKeys: previous } = own;
  const changed = changePair({ used: { privateKey, publicKey }, next, previous }, step, { name, make: newEd25519 });
  own.privateKey = changed.used.privateKey;
  own.publicKey = changed.used.publicKey;
  own.nextKeys = changed.next;
  own.previousKeys = changed.previous;
}

function changeRedisPassword(secrets: Secrets, step: Exclude<RotationStep, 'replace'>, name: string): void {
  const { redisPassword: used, nextRedisPassword: next, previousRedisPassword: previous } = secrets;
  const make = (): string => random(24);
  const changed = changePair({ used, next, previous }, step, { name, make });
  secrets.redisPassword = changed.used;
  secrets.nextRedisPassword = changed.next;
  secrets.previousRedisPassword = changed.previous;
}

function changeDatabasePassword(own: ServiceSecrets, step: Exclude<RotationStep, 'replace'>, name: string): void {
  const { databasePassword: used, nextDatabasePassword: next, previousDatabasePassword: previous } = own;
  const make = (): string => random(24);
  const changed = changePair({ used, next, previous }, step, { name, make });
  own.databasePassword = changed.used;
  own.nextDatabasePassword = changed.next;
  own.previousDatabasePassword = changed.previous;
}

const notItsTurn = (name: string, why: string): StopSentence => new StopSentence(`${name}: ${why}`);

function replaceOne(secrets: Secrets, { generated }: PlatformSecret): void {
  switch (generated) {
    case 'databaseAdminPassword':
      secrets.previousDatabaseAdminPassword = secrets.databaseAdminPassword;
      secrets.databaseAdminPassword = random(24);
      return;
    case 'natsApiOperatorKey':
      secrets.natsApiOperatorKey = makeKeyValue(randomBytes);
      return;
    case 'natsOperator':
    case 'natsMigration':
    case 'natsApi':
      secrets[generated] = newNatsUser();
  }
}
