import { randomBytes } from 'node:crypto';
import { newEd25519 } from '@switchyard/kernel';
import { makeKeyValue } from '../../libs/contracts/src/key/key-format';
import { newNatsUser } from '../launcher/home/nats-user';
import type { Secrets, ServiceSecrets } from '../launcher/home/secrets';
import { SERVICES } from '../launcher/service-names';
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
    default:
      for (const service of SERVICES) changeNatsUser(secrets.services[service], step, name);
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

function changeNatsUser(own: ServiceSecrets, step: Exclude<RotationStep, 'replace'>, name: string): void {
  const { nats, nextNats, previousNats } = own;
  switch (step) {
    case 'add':
      if (nextNats || previousNats)
        throw notItsTurn(name, 'already have a second value. Continue with use, or with finish.');
      own.nextNats = newNatsUser();
      return;
    case 'use':
      if (!nextNats) throw notItsTurn(name, 'have no new value. Begin with add.');
      own.nats = nextNats;
      own.previousNats = nats;
      delete own.nextNats;
      return;
    case 'finish':
      if (!previousNats) throw notItsTurn(name, 'do not use a new value yet. Continue with use.');
      delete own.previousNats;
  }
}

const notItsTurn = (name: string, why: string): StopSentence => new StopSentence(`${name}: ${why}`);

function replaceOne(secrets: Secrets, { generated }: PlatformSecret): void {
  const eachService = (change: (own: ServiceSecrets) => void): void => {
    for (const service of SERVICES) change(secrets.services[service]);
  };
  switch (generated) {
    case 'privateKey':
      return eachService((own) => {
        const { privateKey, publicKey } = newEd25519();
        own.privateKey = privateKey;
        own.publicKey = publicKey;
      });
    case 'databasePassword':
      return eachService((own) => {
        own.databasePassword = random(24);
      });
    case 'databaseAdminPassword':
      secrets.previousDatabaseAdminPassword = secrets.databaseAdminPassword;
      secrets.databaseAdminPassword = random(24);
      return;
    case 'redisPassword':
      secrets.redisPassword = random(24);
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
