import { newEd25519 } from '@switchyard/kernel';
import { makeCtx, serviceCtx } from '@switchyard/contracts';
import {
  type Address,
  type SealedEnvelope,
  packEnvelope,
  packLargeEnvelope,
  parseEnvelope,
  senderOf,
} from './envelope';
import { MessageSigner } from './message-signer';

const SERVICES = ['gateway', 'task', 'job'];
const privateKeys: Record<string, string> = {};
const publicKeys: Record<string, string> = {};
for (const service of SERVICES) {
  const pair = newEd25519();
  privateKeys[service] = pair.privateKey;
  publicKeys[service] = pair.publicKey;
}

const sealerOf = (service: string): MessageSigner => new MessageSigner(service, privateKeys[service] ?? '', publicKeys);

const address: Address = { subject: 'task.execute', receivers: ['task'] };
const ctx = makeCtx(
  { ...serviceCtx('gateway'), spaceId: 'a-space', userId: 'a-user', role: 'MEMBER', scopes: ['tasks:execute'] },
  { requestId: 'r', deadline: 0, answer: {} },
);

/** Makes the message long enough for the second algorithm. */
let padding = '';

const pack = (changes: Partial<Address> = {}, encrypter = sealerOf('gateway')): Buffer =>
  packEnvelope({
    sealer: encrypter,
    source: 'gateway',
    address: { ...address, ...changes },
    ctx,
    deadline: 0,
    // User data may look like a signature.
    data: { text: 'x","seal":"y"}', more: '€ and ü', padding },
  });

const senderAt = (service: string, subject: string, received: SealedEnvelope): string =>
  senderOf(sealerOf(service), subject, received);

const replaced = (message: Buffer, from: string, to: string): SealedEnvelope => {
  const text = message.toString();
  expect(text).toContain(from);
  return parseEnvelope(Buffer.from(text.replace(from, to)));
};

describe.each([
  ['short', 0],
  ['long', 10_000],
])('the seal of a %s message', (_, length) => {
  beforeAll(() => {
    padding = 'x'.repeat(length);
  });

  it('says who sent it, and leaves the message as it was', () => {
    const received = parseEnvelope(pack());
    expect(senderAt('task', 'task.execute', received)).toBe('gateway');
    expect(received.envelope).toMatchObject({
      name: 'task.execute',
      ctx: { spaceId: 'a-space', role: 'MEMBER' },
      data: { text: 'x","seal":"y"}', more: '€ and ü' },
    });
  });

  it('is checked by each of several receivers', () => {
    const received = parseEnvelope(pack({ receivers: ['task', 'job'] }));
    expect(SERVICES.slice(1).map((service) => senderAt(service, 'task.execute', received))).toEqual([
      'gateway',
      'gateway',
    ]);
  });

  it.each([
    ['another subject', (): unknown => senderAt('task', 'task.delete', parseEnvelope(pack()))],
    ['another receiver', (): unknown => senderAt('job', 'task.execute', parseEnvelope(pack()))],
    ['another Space', (): unknown => senderAt('task', 'task.execute', replaced(pack(), 'a-space', 'b-space'))],
    ['another role', (): unknown => senderAt('task', 'task.execute', replaced(pack(), 'MEMBER', 'OWNER'))],
    [
      'fields behind the seal',
      (): unknown => {
        const more = ',"ctx":{"spaceId":"b-space","scopes":[]},"data":{}}';
        return senderAt('task', 'task.execute', parseEnvelope(Buffer.from(pack().toString().replace(/\}$/, more))));
      },
    ],
    [
      'a process of any name',
      (): unknown => senderAt('task', 'task.execute', replaced(pack(), '"seal":"gateway ', '"seal":"gateway x')),
    ],
    ['another payload', (): unknown => senderAt('task', 'task.execute', replaced(pack(), 'and', 'or'))],
    [
      'another sender',
      (): unknown => senderAt('task', 'task.execute', replaced(pack(), '"seal":"gateway', '"seal":"job')),
    ],
    [
      'a longer life',
      (): unknown => {
        const message = pack({ lifeMs: -40_000 });
        const end = / (\d{13}) task:/.exec(message.toString())?.[1] ?? 'none';
        return senderAt('task', 'task.execute', replaced(message, end, String(Number(end) + 80_000)));
      },
    ],
    ['a time after its end', (): unknown => senderAt('task', 'task.execute', parseEnvelope(pack({ lifeMs: -40_000 })))],
    [
      'the message of another seal',
      (): unknown => {
        const [one, other] = [pack().toString(), pack().toString()];
        const sealOf = (text: string): string => text.slice(text.lastIndexOf(',"seal":'));
        const mixed = one.slice(0, one.lastIndexOf(',"seal":')) + sealOf(other);
        return senderAt('task', 'task.execute', parseEnvelope(Buffer.from(mixed)));
      },
    ],
    [
      'a service that has other keys',
      (): unknown => {
        const { privateKey, publicKey } = newEd25519();
        const stranger = new MessageSigner('gateway', privateKey, { ...publicKeys, gateway: publicKey });
        return senderAt('task', 'task.execute', parseEnvelope(pack({}, stranger)));
      },
    ],
    [
      'nobody',
      (): unknown => {
        const text = pack().toString();
        return senderAt(
          'task',
          'task.execute',
          parseEnvelope(Buffer.from(`${text.slice(0, text.lastIndexOf(',"seal":'))}}`)),
        );
      },
    ],
  ])('fits nothing else: not %s', (_what, check) => {
    expect(check).toThrow('The request did not come through the platform.');
  });
});

describe('a large message', () => {
  it('is packed in steps between which others run, and read as any other', async () => {
    let others = 0;
    const other = (): void => {
      others += 1;
      turn = setImmediate(other);
    };
    let turn = setImmediate(other);
    const text = 'x'.repeat(32 * 1024 * 1024);
    const packed = await packLargeEnvelope({
      sealer: sealerOf('gateway'),
      source: 'gateway',
      address,
      ctx,
      deadline: 0,
      data: { text },
    });
    clearImmediate(turn);
    expect(others).toBe(2);
    const received = parseEnvelope(packed);
    expect(senderAt('task', 'task.execute', received)).toBe('gateway');
    expect((received.envelope.data as { text: string }).text.length).toBe(text.length);
  });
});
