/** Kinds of frames. The numbers are on the wire and must never be reused. */
export const FrameKind = {
  /** Opens a call: its head, and the beginning of its body. */
  open: 1,
  /** As `open`, with a body that is whole. */
  openWhole: 2,
  /** More of the body. */
  body: 3,
  bodyEnd: 4,
  /** The caller wants no more. */
  abort: 5,
  /** The caller has taken so many bytes of the answer. */
  credit: 6,
  /** The head of the answer, and the beginning of its bytes. */
  answer: 7,
  /** As `answer`, with bytes that are whole. */
  answerWhole: 8,
  bytes: 9,
  end: 10,
  /** Refused, or broken off: the reason. */
  fail: 11,
  /** Of the connection: the receiver answers with `pong`. */
  ping: 12,
  pong: 13,
  /** Of the line: calls that run end here, and new ones go elsewhere. */
  leaving: 14,
} as const;

export type FrameKind = (typeof FrameKind)[keyof typeof FrameKind];

export interface MuxFrame {
  kind: number;
  call: number;
  /** A view of the received buffer: copy it to keep it. */
  payload: Buffer;
}

/** The length of the payload (4 bytes), the kind (1), the number of the call (4). */
const HEADER_BYTES = 9;
/** No frame is larger: a head is some kilobytes, and bytes are cut. */
export const MAX_PAYLOAD = 256 * 1024;
const NOTHING = Buffer.alloc(0);

export function frameHeader(kind: FrameKind, call: number, length: number): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  header.writeUInt32BE(length, 0);
  header[4] = kind;
  header.writeUInt32BE(call, 5);
  return header;
}

/** A head before the bytes that belong to it, in one payload. */
export function headPrefix(head: string): Buffer {
  const length = Buffer.byteLength(head);
  const bytes = Buffer.allocUnsafe(4 + length);
  bytes.writeUInt32BE(length, 0);
  bytes.write(head, 4);
  return bytes;
}

export function splitHead(payload: Buffer): { head: Buffer; bytes: Buffer } {
  if (payload.length < 4) throw new Error('a frame without its head');
  const end = 4 + payload.readUInt32BE(0);
  if (end > payload.length) throw new Error('a frame that is shorter than its head');
  return { head: payload.subarray(4, end), bytes: payload.subarray(end) };
}

function lengthAt(bytes: Buffer, at: number): number {
  const length = bytes.readUInt32BE(at);
  if (length > MAX_PAYLOAD) throw new Error(`a frame of ${length} bytes`);
  return length;
}

/** Cuts what a socket brings into frames. */
export class FrameReader {
  private pieces: Buffer[] = [];
  private size = 0;

  push(chunk: Buffer, onFrame: (frame: MuxFrame) => void): void {
    this.pieces.push(chunk);
    this.size += chunk.length;
    if (this.size < this.missing()) return;
    const bytes = this.pieces.length === 1 ? chunk : Buffer.concat(this.pieces, this.size);
    let at = 0;
    while (bytes.length - at >= HEADER_BYTES) {
      const length = lengthAt(bytes, at);
      const end = at + HEADER_BYTES + length;
      if (end > bytes.length) break;
      const payload = length === 0 ? NOTHING : bytes.subarray(at + HEADER_BYTES, end);
      onFrame({ kind: bytes[at + 4] ?? 0, call: bytes.readUInt32BE(at + 5), payload });
      at = end;
    }
    const rest = bytes.subarray(at);
    this.pieces = rest.length === 0 ? [] : [rest];
    this.size = rest.length;
  }

  /** The bytes that the frame takes which is arriving: before they are here, nothing is put together. */
  private missing(): number {
    const [first] = this.pieces;
    return first && first.length >= HEADER_BYTES ? HEADER_BYTES + lengthAt(first, 0) : HEADER_BYTES;
  }
}
