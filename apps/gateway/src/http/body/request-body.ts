import { isUtf8 } from 'node:buffer';
import {
  AppError,
  JSON_LIMITS,
  JsonCheck,
  type JsonLimits,
  checkJson,
  isJsonType,
  TimeSlice,
} from '@switchyard/kernel';
import { SLICE_BYTES, IncrementalJsonParser } from './incremental-json-parser';

const VALUES_AT_ONCE = 2000;

export interface BodyHeaders {
  'content-type'?: string;
  'content-encoding'?: string;
}

/** Refuses bodies with another type than JSON. An empty body needs no type. */
export function checkJsonType(bytes: unknown, headers: BodyHeaders): void {
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return;
  if (!isJsonType(headers['content-type'] ?? '')) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send JSON in UTF-8 with Content-Type: application/json.');
  }
  refuseEncoded(headers);
}

/** Bodies are read as they come: a compressed one is named as such, before its bytes are taken for the text. */
export function refuseEncoded({ 'content-encoding': encoding }: BodyHeaders): void {
  if (encoding !== undefined && encoding !== 'identity')
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without Content-Encoding.');
}

const notUtf8 = (): AppError => new AppError('VALIDATION_ERROR', 'The body is not valid UTF-8.');
const NOT_JSON = 'The body is not valid JSON.';
const notJson = (): AppError => new AppError('VALIDATION_ERROR', NOT_JSON);

export const isNotJson = (error: unknown): boolean => error instanceof AppError && error.message === NOT_JSON;

/** The JSON of a body as it is written. No body is `undefined`. */
export function readJson(bytes: unknown): unknown {
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw notUtf8();
  try {
    return JSON.parse(bytes.toString()) as unknown;
  } catch {
    throw notJson();
  }
}

export const isLarge = (bytes: unknown): bytes is Buffer => Buffer.isBuffer(bytes) && bytes.length > SLICE_BYTES;

/** The same for a large body, in slices: others run meanwhile. */
export async function readLargeJson(bytes: Buffer, limits: JsonLimits): Promise<unknown> {
  if (!isUtf8(bytes)) throw notUtf8();
  try {
    return await new IncrementalJsonParser(bytes, limits).parse();
  } catch (error) {
    throw error instanceof AppError ? error : notJson();
  }
}

/** As `readLargeJson`, and looks at every value in slices too. */
export async function checkLarge(bytes: Buffer, limits: JsonLimits): Promise<unknown> {
  const value = await readLargeJson(bytes, limits);
  const pace = new TimeSlice();
  const check = new JsonCheck(value, limits);
  while (!check.run(VALUES_AT_ONCE)) if (pace.isDue) await pace.rest();
  await pace.rest();
  return value;
}

/**
 * The JSON of a body: typed as JSON, well-formed, and free of what would hurt further in. No body is `undefined`.
 * A large one is a promise.
 */
export function parseJsonBody(bytes: unknown, headers: BodyHeaders, depth: number, anyText = false): unknown {
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return undefined;
  checkJsonType(bytes, headers);
  const limits = { anyText, ...JSON_LIMITS, depth };
  if (isLarge(bytes)) return checkLarge(bytes, limits);
  const value = readJson(bytes);
  checkJson(value, limits);
  return value;
}
