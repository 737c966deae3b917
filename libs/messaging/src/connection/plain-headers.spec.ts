import { headers } from 'nats';
import { plainHeaders, withHeader } from './plain-headers';

const encoded = (head: unknown): string => Buffer.from((head as { encode: () => Uint8Array }).encode()).toString();

describe('headers that are only sent', () => {
  it('are what the client would send', () => {
    const theirs = headers();
    theirs.set('Nats-Msg-Id', 'turn:1');
    theirs.set('Sw-Epoch', '2');
    expect(encoded(plainHeaders(['Nats-Msg-Id', 'turn:1'], ['Sw-Epoch', '2']))).toBe(encoded(theirs));
  });

  it('hold one line each', () => {
    expect(() => plainHeaders(['A', 'b\r\nC: d'])).toThrow('the header A would hold more than one line');
  });

  it('come to those that are there', () => {
    const theirs = headers();
    theirs.set('Sw-Parts', 'a claim');
    expect(withHeader(theirs, 'Sw-Mux', 'b').get('Sw-Parts')).toBe('a claim');
    expect(theirs.get('Sw-Mux')).toBe('b');
    expect(encoded(withHeader(undefined, 'Sw-Mux', 'b'))).toBe('NATS/1.0\r\nSw-Mux: b\r\n\r\n');
  });
});
