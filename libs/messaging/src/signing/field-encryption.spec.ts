import { newEd25519 } from '@switchyard/kernel';
import { MessageSigner } from './message-signer';
import type { BoxContext } from './field-encryption';

const names = ['gateway', 'key', 'agent'] as const;
type Name = (typeof names)[number];
const made = Object.fromEntries(names.map((name) => [name, newEd25519()])) as Record<
  Name,
  ReturnType<typeof newEd25519>
>;
const publicKeys = Object.fromEntries(names.map((name) => [name, made[name].publicKey]));
const boxOf = (name: Name): MessageSigner['secrets'] =>
  new MessageSigner(name, made[name].privateKey, publicKeys).secrets;
const context: BoxContext = { subject: 'key.login', requestId: 'r-1', direction: 'request' };
const secret = { password: 'in the clear' };

describe('what only one service may read', () => {
  it('is read by that service, of any process of its sender', () => {
    for (const sender of [boxOf('gateway'), boxOf('gateway')]) {
      const text = sender.seal('key', context, secret) ?? '';
      expect(text).not.toContain('clear');
      expect(boxOf('key').open('gateway', context, text)).toEqual(secret);
    }
  });

  it('is another text each time', () => {
    const sender = boxOf('gateway');
    const texts = Array.from({ length: 50 }, () => sender.seal('key', context, secret));
    expect(new Set(texts).size).toBe(50);
  });

  it('goes to no service without a key', () => {
    expect(boxOf('gateway').seal('stranger', context, secret)).toBeUndefined();
  });

  const text = boxOf('gateway').seal('key', context, secret) ?? '';
  const [process = '', , bytes = ''] = text.split(' ');
  it.each([
    ['by another service', (): unknown => boxOf('agent').open('gateway', context, text)],
    ['as that of another sender', (): unknown => boxOf('key').open('agent', context, text)],
    ['for another call', (): unknown => boxOf('key').open('gateway', { ...context, subject: 'key.refresh' }, text)],
    ['for another request', (): unknown => boxOf('key').open('gateway', { ...context, requestId: 'r-2' }, text)],
    ['as a reply', (): unknown => boxOf('key').open('gateway', { ...context, direction: 'reply' }, text)],
    ['with another number', (): unknown => boxOf('key').open('gateway', context, `${process} 7 ${bytes}`)],
    ['changed', (): unknown => boxOf('key').open('gateway', context, `${process} 1 A${bytes.slice(1)}B`)],
    ['cut', (): unknown => boxOf('key').open('gateway', context, `${process} 1 AAAA`)],
    ['that is none', (): unknown => boxOf('key').open('gateway', context, 'nothing')],
  ])('is not opened %s', (_what, open) => {
    expect(open).toThrow('The request did not come through the platform.');
  });
});
