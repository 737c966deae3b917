import { AppError } from '@switchyard/kernel';

/** What a process holds of a long value at a time, however slowly it is read. */
const PART_BYTES = 1024 * 1024;
const FRAME_BYTES = 128 * 1024;

/** A part of a jsonb value as text, with what tells whether it is still the value of the part before. */
export interface ContentPart {
  part: Uint8Array;
  bytes: number;
  digest: string;
}

/**
 * Selects a `ContentPart` of the jsonb expression `value`. `source` is the rest of the statement from `from` on, and
 * finds one row or none; `offset` is the parameter that holds how many bytes to skip. SQL's null reads as JSON's.
 */
export const contentPartSql = (value: string, source: string, offset: string): string =>
  `with content as materialized (select convert_to(coalesce(${value}, 'null'::jsonb)::text, 'UTF8') as value ${source})
   select substring(value from ${offset}::int + 1 for ${PART_BYTES}) as part, octet_length(value) as bytes, md5(value) as digest from content`;

/**
 * Reads a long value part by part, each in a transaction of its own, and gives it in frames. Throws NOT_FOUND where there is no such value,
 * and CONFLICT if it changes meanwhile: parts of two values never make up one.
 */
export async function* readContent(
  read: (offset: number) => Promise<ContentPart | null>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let digest: string | undefined;
  for (let offset = 0; ;) {
    const found = await read(offset);
    if (!found && digest === undefined) throw new AppError('NOT_FOUND', 'The record has no such field.');
    if (!found || (digest !== undefined && found.digest !== digest))
      throw new AppError('CONFLICT', 'The value has changed while it was read. Read it again.');
    digest = found.digest;
    offset += found.part.byteLength;
    for (let at = 0; at < found.part.byteLength; at += FRAME_BYTES) yield found.part.subarray(at, at + FRAME_BYTES);
    if (offset >= found.bytes || signal.aborted) return;
  }
}
