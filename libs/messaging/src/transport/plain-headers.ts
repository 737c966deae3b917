import type { MsgHdrs } from 'nats';

const FORBIDDEN = /[\r\n]/;

/**
 * Serialized headers for sending only. The client's object scans all names for each added header and allocates more
 * than the message. Names are sent as given.
 */
export function plainHeaders(...headers: readonly (readonly [name: string, value: string])[]): MsgHdrs {
  let text = 'NATS/1.0\r\n';
  for (const [name, value] of headers) {
    if (FORBIDDEN.test(value)) throw new Error(`the header ${name} must not contain a line break`);
    text += `${name}: ${value}\r\n`;
  }
  return { encode: () => Buffer.from(`${text}\r\n`) } as unknown as MsgHdrs;
}

/** Adds a header to the given ones, if any. */
export function withHeader(headers: MsgHdrs | undefined, name: string, value: string): MsgHdrs {
  if (!headers) return plainHeaders([name, value]);
  headers.set(name, value);
  return headers;
}
