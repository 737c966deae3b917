import { AppError } from '@switchyard/kernel';

/** Most memory of a long value at a time, however slow its reader. */
const PART_BYTES = 1024 * 1024;
const FRAME_BYTES = 128 * 1024;

/** A chunk of a jsonb value as text, with a version to detect changes. */
export interface ContentPart {
  part: Uint8Array;
  bytes: number;
  digest: string;
}

/**
 * Selects a `ContentPart` of the jsonb expression `value`. `source` is the rest of the statement from `from` on,
 * finding one row or none; `offset` is the parameter with the bytes to skip. SQL null becomes JSON null.
 */
export const contentPartSql = (value: string, source: string, offset: string): string =>
  `with content as materialized (select convert_to(coalesce(${value}, 'null'::jsonb)::text, 'UTF8') as value ${source})
   select substring(value from ${offset}::int + 1 for ${PART_BYTES}) as part, octet_length(value) as bytes, md5(value) as digest from content`;

/**
 * Streams a long value in chunks, each read in its own transaction. Throws NOT_FOUND if it is missing, and CONFLICT if
 * it changes meanwhile.
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
