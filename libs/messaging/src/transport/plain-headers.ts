import type { MsgHdrs } from 'nats';

const FORBIDDEN = /[\r\n]/;

/**
 * Headers of a message that is sent and not read here: one text. The client's own object looks through all of its names
 * for each that is added, and allocates more for two headers than for the message. Names are sent as they are given.
 */
export function plainHeaders(...headers: readonly (readonly [name: string, value: string])[]): MsgHdrs {
  let text = 'NATS/1.0\r\n';
  for (const [name, value] of headers) {
    if (FORBIDDEN.test(value)) throw new Error(`the header ${name} must not contain a line break`);
    text += `${name}: ${value}\r\n`;
  }
  return { encode: () => Buffer.from(`${text}\r\n`) } as unknown as MsgHdrs;
}

/** One more header, of those that are there or alone. */
export function withHeader(headers: MsgHdrs | undefined, name: string, value: string): MsgHdrs {
  if (!headers) return plainHeaders([name, value]);
  headers.set(name, value);
  return headers;
}
