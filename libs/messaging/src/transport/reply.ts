import { AppError, toAppError } from '@switchyard/kernel';
import { MAX_CARRIED, tooLarge } from './chunked-payloads';

export interface Reply {
  data: unknown;
  replayed: boolean;
  /** The encrypted fields of the data. */
  secret?: string;
}

/** Throws PAYLOAD_TOO_LARGE if the bus cannot carry the reply. */
export function packReply(data: unknown, replayed: boolean, secret?: string): Uint8Array {
  const encrypted = secret === undefined ? '' : `,"secret":"${secret}"`;
  const text = `{"data":${JSON.stringify(data ?? {})}${replayed ? ',"replayed":true' : ''}${encrypted}}`;
  // Bytes are at least as many as characters, so this need not be encoded.
  if (text.length > MAX_CARRIED) throw tooLarge('answer', text.length);
  const bytes = Buffer.from(text);
  if (bytes.byteLength > MAX_CARRIED) throw tooLarge('answer', bytes.byteLength);
  return bytes;
}

/** Larger details are dropped, so that an error fits into one message. */
const MAX_ERROR_BYTES = 256 * 1024;

/** Never throws: details that cannot be serialized, or are too large, are dropped. */
export function errorBytes(error: unknown): Uint8Array {
  const shown = toAppError(error);
  try {
    const bytes = Buffer.from(JSON.stringify(shown));
    if (bytes.byteLength <= MAX_ERROR_BYTES) return bytes;
  } catch {
    // Details that are no JSON.
  }
  const { code, message, retryAfterSeconds } = shown;
  return Buffer.from(JSON.stringify({ code, message: message.slice(0, 1000), retryAfterSeconds }));
}

export const packError = (error: unknown): Uint8Array =>
  Buffer.concat([Buffer.from('{"error":'), errorBytes(error), Buffer.from('}')]);

const DATA_BEGINS = Buffer.from('{"data":{');
const DATA_ENDS = Buffer.from('}}');

/** The data as written; null for an error, or a reply with more than data. */
export function jsonOfReply(reply: Uint8Array): Buffer | null {
  const bytes = Buffer.from(reply.buffer, reply.byteOffset, reply.byteLength);
  const isDataAlone =
    bytes.subarray(0, DATA_BEGINS.length).equals(DATA_BEGINS) && bytes.subarray(-DATA_ENDS.length).equals(DATA_ENDS);
  return isDataAlone ? bytes.subarray(DATA_BEGINS.length - 1, -1) : null;
}

/** Returns the data, or throws the server's error. */
export function readReply(bytes: Uint8Array): Reply {
  const wire = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()) as {
    data?: unknown;
    error?: unknown;
    replayed?: boolean;
    secret?: string;
  };
  if (wire.error !== undefined) throw AppError.fromJSON(wire.error);
  return { data: wire.data, replayed: wire.replayed === true, secret: wire.secret };
}
