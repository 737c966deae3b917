import type { MsgHdrs } from 'nats';

type Header = readonly [name: string, value: string];

const FORBIDDEN = /[\r\n]/;

/**
 * Serialized headers for sending only. The client's object scans all names for each added header and allocates more
 * than the message. Names are sent as given.
 */
export function plainHeaders(...headers: readonly Header[]): MsgHdrs {
  let text = 'NATS/1.0\r\n';
  for (const [name, value] of headers) {
    if (FORBIDDEN.test(value)) throw new Error(`the header ${name} must not contain a line break`);
    text += `${name}: ${value}\r\n`;
  }
  return { encode: () => Buffer.from(`${text}\r\n`) } as unknown as MsgHdrs;
}

/** Adds headers to the given ones, if any. */
export function withHeaders(headers: MsgHdrs | undefined, ...added: readonly Header[]): MsgHdrs {
  if (!headers) return plainHeaders(...added);
  for (const [name, value] of added) headers.set(name, value);
  return headers;
}
