/** A model's text, and its reasoning before it. */
export type DeltaEvent = 'content-delta' | 'reasoning-delta';

export interface DeltaFrame {
  event: DeltaEvent;
  delta: string;
  messageId: string;
  timestamp: number;
  seq: number;
}

const HEAD = '{"type":"event","method":"custom:service","params":{"namespace":[],"timestamp":';
const DATA: Record<DeltaEvent, string> = {
  'content-delta': ',"data":{"event":"content-delta","delta":"',
  'reasoning-delta': ',"data":{"event":"reasoning-delta","delta":"',
};
/** Quotes inside a text are escaped, so neither separator occurs in one. */
const ID = '","message_id":"';
const SEQ = '"}},"seq":';
/** Upper bound of the length from the name of `seq` to the end. */
const SEQ_WITHIN = SEQ.length + 24;

/** Most frames are deltas, so they are written from a template. */
export const writeDeltaFrame = ({ event, delta, messageId, timestamp, seq }: DeltaFrame): string =>
  `${HEAD}${timestamp}${DATA[event]}${JSON.stringify(delta).slice(1, -1)}${ID}${messageId}${SEQ}${seq}}`;

/** Reads fields lazily: most frames are deltas. */
export class ReadDelta implements DeltaFrame {
  /** The text as JSON, as in the frame. */
  readonly json: string;

  constructor(
    private readonly text: string,
    readonly event: DeltaEvent,
    private readonly at: { delta: number; id: number; seq: number },
  ) {
    this.json = text.slice(at.delta - 1, at.id + 1);
  }

  get delta(): string {
    return this.json.includes('\\') ? (JSON.parse(this.json) as string) : this.json.slice(1, -1);
  }

  /** A substring of the whole frame, which it keeps in memory: compare with `isOf`, and store another copy. */
  get messageId(): string {
    return this.text.slice(this.at.id + ID.length, this.at.seq);
  }

  isOf(messageId: string | undefined): boolean {
    const { id, seq } = this.at;
    const begin = id + ID.length;
    return messageId?.length === seq - begin && this.text.startsWith(messageId, begin);
  }

  get timestamp(): number {
    return Number(this.text.slice(HEAD.length, this.at.delta - DATA[this.event].length));
  }

  get seq(): number {
    return Number(this.text.slice(this.at.seq + SEQ.length, -1));
  }
}

function eventAt(text: string, at: number): DeltaEvent | null {
  if (text.startsWith(DATA['content-delta'], at)) return 'content-delta';
  return text.startsWith(DATA['reasoning-delta'], at) ? 'reasoning-delta' : null;
}

/** Reads a delta frame without parsing all of it; null for other frames or other spellings. */
export function readDeltaFrame(text: string): ReadDelta | null {
  if (!text.startsWith(HEAD)) return null;
  const timeEnd = text.indexOf(',', HEAD.length);
  const event = eventAt(text, timeEnd);
  if (event === null) return null;
  const deltaAt = timeEnd + DATA[event].length;
  const idAt = text.indexOf(ID, deltaAt);
  const seqAt = text.indexOf(SEQ, Math.max(idAt, text.length - SEQ_WITHIN));
  if (idAt === -1 || seqAt === -1) return null;
  return new ReadDelta(text, event, { delta: deltaAt, id: idAt, seq: seqAt });
}
