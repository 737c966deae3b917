import { headers } from 'nats';
import { plainHeaders, withHeaders } from './serialize-headers';

const encoded = (head: unknown): string => Buffer.from((head as { encode: () => Uint8Array }).encode()).toString();

describe('plain headers', () => {
  it('are encoded as the client encodes its own', () => {
    const theirs = headers();
    theirs.set('Nats-Msg-Id', 'turn:1');
    theirs.set('Sw-Epoch', '2');
    expect(encoded(plainHeaders(['Nats-Msg-Id', 'turn:1'], ['Sw-Epoch', '2']))).toBe(encoded(theirs));
  });

  it('refuse a value with a line break', () => {
    expect(() => plainHeaders(['A', 'b\r\nC: d'])).toThrow('the header A must not contain a line break');
  });

  it('are added to headers of the client', () => {
    const theirs = headers();
    theirs.set('Sw-Parts', 'a claim');
    expect(withHeaders(theirs, ['Sw-Mux', 'b']).get('Sw-Parts')).toBe('a claim');
    expect(theirs.get('Sw-Mux')).toBe('b');
    expect(encoded(withHeaders(undefined, ['Sw-Mux', 'b']))).toBe('NATS/1.0\r\nSw-Mux: b\r\n\r\n');
  });
});
