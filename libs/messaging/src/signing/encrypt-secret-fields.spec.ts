import { SecretCalls, makeCtx, serviceCtx } from '@switchyard/contracts';
import { newEd25519 } from '@switchyard/kernel';
import { addressOf, ctxOf, packEnvelope, parseEnvelope } from './envelope';
import { MessageSigner } from './message-signer';
import { bodyOfRequest, openRequest } from './encrypt-secret-fields';

const pairs = { gateway: newEd25519(), key: newEd25519(), relay: newEd25519() };
const publicKeys = Object.fromEntries(Object.entries(pairs).map(([name, { publicKey }]) => [name, publicKey]));
const sealerOf = (service: keyof typeof pairs): MessageSigner =>
  new MessageSigner(service, pairs[service].privateKey, publicKeys);

const contract = SecretCalls.create;
const PLAIN = 'digest-of-the-body';
const idempotency = { key: 'a key', route: 'POST /secrets', fingerprint: PLAIN };
const ctx = makeCtx(
  { ...serviceCtx('gateway'), spaceId: 'a-space' },
  { requestId: 'r', deadline: 0, answer: {}, idempotency },
);

const send = (
  encrypter: MessageSigner,
  data: object = { name: 'TOKEN', value: 'a secret', hosts: ['example.com'] },
): Buffer =>
  packEnvelope({
    sealer: encrypter,
    source: 'gateway',
    address: addressOf(contract),
    ctx,
    deadline: 0,
    ...bodyOfRequest(encrypter, contract, data),
  });
const receive = (message: Buffer) => {
  const { envelope } = parseEnvelope(message);
  openRequest(sealerOf('key'), contract, envelope, 'gateway');
  return ctxOf(envelope);
};
const shownIn = (message: Buffer): string => parseEnvelope(message).envelope.ctx.idempotency?.fingerprint ?? '';

describe('the digest of a request with secrets', () => {
  it('is keyed in the message, the same from each process, and plain for its receiver', () => {
    const [one, other] = [send(sealerOf('gateway')), send(sealerOf('gateway'))];
    expect(one.toString()).not.toContain(PLAIN);
    expect(shownIn(one)).toBe(shownIn(other));
    expect(receive(one).idempotency).toEqual({ ...idempotency, isSecret: true });
  });

  it('stays keyed in the calls that the request leads to', () => {
    const encrypter = sealerOf('key');
    const address = { subject: 'relay.any', receivers: ['relay'] };
    const onward = packEnvelope({
      sealer: encrypter,
      source: 'key',
      address,
      ctx: receive(send(sealerOf('gateway'))),
      deadline: 0,
      data: {},
    });
    expect(onward.toString()).not.toContain(PLAIN);
    expect(shownIn(onward)).toBe(encrypter.keyedFingerprint(PLAIN));
  });

  it('is plain if the message holds no secret', () => {
    expect(shownIn(send(sealerOf('gateway'), { name: 'TOKEN' }))).toBe(PLAIN);
  });
});

describe('a request with secrets', () => {
  it('is refused if the process has no key of its receiver, and names that service only', () => {
    const { key: _, ...others } = publicKeys;
    const encrypter = new MessageSigner('gateway', pairs.gateway.privateKey, others);
    const refused = expect.objectContaining({
      code: 'SERVICE_UNAVAILABLE',
      message: 'No public key of the service key is configured.',
    }) as Error;
    expect(() => send(encrypter)).toThrow(refused);
    expect(() => bodyOfRequest(encrypter, contract, { name: 'TOKEN' })).not.toThrow();
  });
});
