/** What one entry of a batch is. */
export const Entry = { open: 0, frame: 1, end: 2, error: 3, alive: 4, claim: 5 } as const;
export type EntryKind = (typeof Entry)[keyof typeof Entry];

export interface WireEntry {
  stream: string;
  kind: EntryKind;
  /** How many frames the stream had sent before this entry: a reader sees at once when one is missing. */
  count: number;
  payload: Uint8Array;
}

const EMPTY = new Uint8Array();
export const NO_PAYLOAD = EMPTY;

/** What an entry takes on the wire, a little over-estimated. */
export const sizeOf = (entry: WireEntry): number => entry.payload.byteLength + entry.stream.length + 24;

/** Many entries of many streams in one message: a length, a JSON head of lengths, then the payloads end to end. */
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

/** From the reader to the server that holds its streams. */
export type Control =
  | { kind: 'cancel'; stream: string }
  | { kind: 'credit'; stream: string; credit: number }
  | { kind: 'alive'; streams: string[] };

/** What a frame takes of the window: small frames cost 1, large ones more, so that the window bounds bytes as well. */
export const costOf = (bytes: number): number => 1 + (bytes >> 13);

/** How often a reader looks whether the servers of its streams are still connected: one small message per server. */
export const LOOK_EVERY_MS = 1000;
export const ALIVE_EVERY_MS = 3000;
/**
 * For a process that is connected and says nothing. One that is gone is noticed at the next look. Shorter than the lease
 * of a turn: what its frozen holder says late is heard by nobody then.
 */
export const SILENCE_LIMIT_MS = 8_000;

/** Where a process hears about the streams that it serves. Nobody listens there once it is gone. */
export const controlSubject = (service: string, instance: string): string => `ctl.${service}.${instance}`;
export const MUX_HEADER = 'Sw-Mux';
