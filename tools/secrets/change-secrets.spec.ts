import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MessageSigner } from '@switchyard/messaging';
import { Encrypter } from '@switchyard/service';
import { openHome } from '../launcher/home/home';
import { natsUsersOf } from '../launcher/home/nats-users';
import { redisUsers } from '../launcher/home/redis-users';
import { loadSecrets } from '../launcher/home/secrets';
import { servicePrivateKey, servicePublicKeys } from '../launcher/home/service-keys';
import { SERVICES } from '../launcher/service-names';
import { type RotationStep, changeSecrets } from './change-secrets';
import { ENCRYPTING_SERVICES, changeable } from './platform-secrets';

const secrets = loadSecrets(openHome(mkdtempSync(path.join(tmpdir(), 'change-'))), {});
const after = (name: string, ...steps: RotationStep[]): typeof secrets =>
  steps.reduce((changed, step) => changeSecrets(changed, step, name), secrets);

test('a data key is known first, used then, and alone at last', () => {
  const added = after('data-keys', 'add');
  const used = changeSecrets(added, 'use', 'data-keys');
  const alone = changeSecrets(used, 'finish', 'data-keys');
  for (const service of ENCRYPTING_SERVICES) {
    const old = secrets.services[service].dataKey;
    expect(added.services[service].dataKey).toMatch(new RegExp(`^1:${old},2:[\\w-]{43}$`));
    // In every step, a replica reads values of all others.
    const sealed = new Encrypter(old).seal('x', 'here');
    expect(new Encrypter(added.services[service].dataKey).open(sealed, 'here')).toBe('x');
  }
  const valueOf = (of: typeof secrets): string => of.services.key.dataKey;
  const written = new Encrypter(valueOf(used)).seal('x', 'here');
  for (const reader of [added, used, alone]) expect(new Encrypter(valueOf(reader)).open(written, 'here')).toBe('x');
});

test('a pepper changes in the same order, any number of times', () => {
  const second = after('peppers', 'add', 'use', 'finish');
  expect(second.keyPeppers).toMatch(/^2:[\w-]{43}$/);
  expect(changeSecrets(second, 'add', 'peppers').keyPeppers).toMatch(/^2:[\w-]{43},3:[\w-]{43}$/);
});

test('NATS accepts both users of a service until the rotation is finished', () => {
  const all = (of: typeof secrets): string[][] => {
    const { users, otherUsers } = natsUsersOf(of);
    return SERVICES.map((service) => [users[service], ...(otherUsers[service] ?? [])]);
  };
  const added = after('nats-users', 'add');
  const used = changeSecrets(added, 'use', 'nats-users');
  const finished = changeSecrets(used, 'finish', 'nats-users');
  expect(all(used).map((keys) => keys.toReversed())).toEqual(all(added));
  expect(all(finished)).toEqual(all(used).map(([key]) => [key]));
  expect(
    all(finished)
      .flat()
      .filter((key) => all(secrets).flat().includes(key)),
  ).toEqual([]);
});

test('services accept the messages of each other in and between all steps, and no old key after the last', () => {
  const added = after('service-keys', 'add');
  const used = changeSecrets(added, 'use', 'service-keys');
  const finished = changeSecrets(used, 'finish', 'service-keys');
  const signer = (service: 'gateway' | 'key', of: typeof secrets): MessageSigner =>
    new MessageSigner(
      service,
      servicePrivateKey(of.services[service]),
      JSON.parse(servicePublicKeys(of)) as Record<string, string>,
    );
  const context = { subject: 'key.login', requestId: 'r-1', direction: 'request' } as const;
  const bytes = Buffer.from('{}');
  const send = (from: typeof secrets, to: typeof secrets): void => {
    const [sender, receiver] = [signer('gateway', from), signer('key', to)];
    // Twice: the second message meets a cached key.
    for (let time = 0; time < 2; time += 1) {
      expect(receiver.check(sender.seal('key.login', bytes, ['key']), 'key.login', bytes)).toBe('gateway');
      const box = sender.secrets.seal('key', context, 'a password') ?? '';
      expect(receiver.secrets.open('gateway', context, box)).toBe('a password');
    }
  };
  const steps = [secrets, added, used, finished];
  for (const [at, one] of steps.entries())
    for (const other of steps.slice(at, at + 2)) {
      send(one, other);
      send(other, one);
    }
  for (const stale of [secrets, added])
    expect(() => send(stale, finished)).toThrow('did not come through the platform');
  expect(() => send(finished, secrets)).toThrow('did not come through the platform');
});

test('Redis accepts the passwords of all processes in and between all steps, and no old one after the last', () => {
  const added = after('redis-password', 'add');
  const used = changeSecrets(added, 'use', 'redis-password');
  const finished = changeSecrets(used, 'finish', 'redis-password');
  const accepts = (of: typeof secrets): string[] =>
    [...redisUsers(of).matchAll(/>(\S+)/g)].map(([, password = '']) => password);
  const steps = [secrets, added, used, finished];
  for (const [at, { redisPassword }] of steps.entries())
    for (const server of steps.slice(Math.max(0, at - 1), at + 2)) {
      // A process of the first step meets Redis of the second, and so on; one of the last may meet no earlier one.
      expect(accepts(server)).toContain(redisPassword);
    }
  expect(accepts(finished)).toEqual([used.redisPassword]);
  expect(used.redisPassword).not.toBe(secrets.redisPassword);
});

const withTwoValues = ['data-keys', 'peppers', 'nats-users', 'service-keys', 'database-passwords', 'redis-password'];

test.each(withTwoValues)('%s refuse a step that is out of order', (name) => {
  for (const steps of [
    ['use'],
    ['finish'],
    ['add', 'finish'],
    ['add', 'add'],
    ['add', 'use', 'use'],
    ['add', 'use', 'add'],
    ['replace'],
  ])
    expect(() => after(name, ...(steps as RotationStep[]))).toThrow(name);
});

const withOneValue = changeable().flatMap(({ name, generated, rotation }) =>
  rotation === 'restart' ? [[name, generated] as const] : [],
);

test.each(withOneValue)('%s are replaced, and nothing else is', (name, generated) => {
  const changed = after(name, 'replace');
  const { services, ...others } = changed;
  const fields = Object.keys(others).filter(
    (field) => JSON.stringify(others[field as 'keyPeppers']) !== JSON.stringify(secrets[field as 'keyPeppers']),
  );
  const own = Object.keys(services.key).filter(
    (field) => JSON.stringify(services.key[field as 'nats']) !== JSON.stringify(secrets.services.key[field as 'nats']),
  );
  expect([...fields, ...own].filter((field) => !/^(?:publicKey|previous\w+)$/.test(field))).toEqual([generated]);
});

test('an unknown secret, and one that its owner replaces, are refused with the names of the others', () => {
  for (const name of ['nonsense', 'owner-password'])
    expect(() => after(name, 'replace')).toThrow('nats-users, service-keys');
});
