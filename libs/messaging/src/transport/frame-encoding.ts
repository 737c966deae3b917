/** Kinds of entries in a batch. */
export const Entry = { open: 0, frame: 1, end: 2, error: 3, alive: 4, claim: 5, others: 6 } as const;
export type EntryKind = (typeof Entry)[keyof typeof Entry];

export interface WireEntry {
  stream: string;
  kind: EntryKind;
  /** Number of frames before this one in the stream, to detect gaps. */
  count: number;
  payload: Uint8Array;
}

const EMPTY = new Uint8Array();
export const NO_PAYLOAD = EMPTY;

/** Upper bound of an entry's size on the wire. */
export const sizeOf = (entry: WireEntry): number => entry.payload.byteLength + entry.stream.length + 24;

/** Entries of many streams in one message: a length, a JSON head of lengths, then the payloads. */
export function packBatch(entries: readonly WireEntry[]): Uint8Array {
  const head = Buffer.from(
    JSON.stringify(entries.map((entry) => [entry.stream, entry.kind, entry.count, entry.payload.byteLength])),
  );
  let total = 4 + head.byteLength;
  for (const entry of entries) total += entry.payload.byteLength;
  const batch = Buffer.allocUnsafe(total);
  batch.writeUInt32BE(head.byteLength, 0);
  head.copy(batch, 4);
  let at = 4 + head.byteLength;
  for (const entry of entries) {
    batch.set(entry.payload, at);
    at += entry.payload.byteLength;
  }
  return batch;
}

export function unpackBatch(bytes: Uint8Array): WireEntry[] {
  const batch = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headLength = batch.readUInt32BE(0);
  const head = JSON.parse(batch.toString('utf8', 4, 4 + headLength)) as [string, EntryKind, number, number][];
  let at = 4 + headLength;
  return head.map(([stream, kind, count, length]) => {
    const payload = batch.subarray(at, at + length);
    at += length;
    return { stream, kind, count, payload };
  });
}

/** From the reader to the server of its streams. */
export type Control =
  | { kind: 'cancel'; stream: string }
  | { kind: 'credit'; stream: string; credit: number }
  | { kind: 'alive'; streams: string[] };

/** Window cost of a frame: 1 and more for large ones, so that the window limits bytes too. */
export const costOf = (bytes: number): number => 1 + (bytes >> 13);

/** Interval of the liveness check of a stream's server: one small message for each server. */
export const LOOK_EVERY_MS = 1000;
export const ALIVE_EVERY_MS = 3000;
/**
 * For a connected but silent process; a dead one is noticed at the next check. Shorter than the lease of a turn, so
 * that late frames of a frozen holder have no readers.
 */
export const SILENCE_LIMIT_MS = 8_000;

/** Replicas of a service hear here that one of them starts. */
export const startSubject = (service: string): string => controlSubject(service, 'started');
/** Control subject of a process; without subscribers once it has died. */
export const controlSubject = (service: string, instance: string): string => `ctl.${service}.${instance}`;
export const MUX_HEADER = 'Sw-Mux';
