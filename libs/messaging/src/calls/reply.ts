import { AppError, toAppError } from '@switchyard/kernel';

export interface Reply {
  data: unknown;
  replayed: boolean;
}

const encoder = new TextEncoder();

export const packReply = (data: unknown, replayed: boolean): Uint8Array =>
  encoder.encode(`{"data":${JSON.stringify(data ?? {})}${replayed ? ',"replayed":true' : ''}}`);

export const packError = (error: unknown): Uint8Array => encoder.encode(JSON.stringify({ error: toAppError(error) }));

/** The data of a reply, or the error that the server threw, thrown again here. */
export function readReply(bytes: Uint8Array): Reply {
  const wire = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()) as {
    data?: unknown;
    error?: unknown;
    replayed?: boolean;
  };
  if (wire.error !== undefined) throw AppError.fromJSON(wire.error);
  return { data: wire.data, replayed: wire.replayed === true };
}
