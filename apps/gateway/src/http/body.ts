import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { AppError, JSON_LIMITS, checkJson } from '@switchyard/kernel';
import { readBody } from '@switchyard/service';
import { isJsonType } from './media-type';

const tooLarge = (limit: number): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${Math.floor(limit / 1024)} KiB.`);

/** A client that is still sending does not read: what is too large is thrown away up to here, so that it hears why. */
const DISCARD_BYTES = 64 * 1024 * 1024;

/** Reads a body whole, and keeps no more of it than allowed. */
export async function readBytes(payload: Readable, limit: number, declared: number | undefined): Promise<Buffer> {
  if (declared !== undefined && declared > limit + DISCARD_BYTES) throw tooLarge(limit);
  const bytes = await readBody(payload, limit, DISCARD_BYTES);
  if (bytes === null) throw tooLarge(limit);
  return bytes;
}

export interface BodyHeaders {
  'content-type'?: string;
  'content-encoding'?: string;
}

/** Refuses what is not sent as JSON, whatever is in it. No body needs no type. */
export function checkJsonType(bytes: unknown, headers: BodyHeaders): void {
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return;
  if (!isJsonType(headers['content-type'] ?? '')) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send JSON with Content-Type: application/json.');
  }
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without Content-Encoding.');
  }
}

/** The JSON of a body as it is written. No body is `undefined`. */
export function readJson(bytes: unknown): unknown {
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw new AppError('VALIDATION_ERROR', 'The body is not valid UTF-8.');
  try {
    return JSON.parse(bytes.toString()) as unknown;
  } catch {
    throw new AppError('VALIDATION_ERROR', 'The body is not valid JSON.');
  }
}

/** The JSON of a body: typed as JSON, well-formed, and free of what would hurt further in. No body is `undefined`. */
export function parseJsonBody(bytes: unknown, headers: BodyHeaders, depth: number, anyText = false): unknown {
  checkJsonType(bytes, headers);
  const value = readJson(bytes);
  if (value !== undefined) checkJson(value, { ...JSON_LIMITS, depth, anyText });
  return value;
}
