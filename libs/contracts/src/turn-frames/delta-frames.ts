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
const DIGIT_0 = '0'.charCodeAt(0);
const isDigit = (code: number): boolean => code >= DIGIT_0 && code < DIGIT_0 + 10;

/** Most frames are deltas, so they are written from a template. */
export const writeDeltaFrame = ({ event, delta, messageId, timestamp, seq }: DeltaFrame): string =>
  `${HEAD}${timestamp}${DATA[event]}${JSON.stringify(delta).slice(1, -1)}${ID}${messageId}${SEQ}${seq}}`;

/** Reads fields lazily: most frames are deltas. */
export class ReadDelta implements DeltaFrame {
  /** The delta between the quotes of its JSON. */
  readonly escaped: string;

  constructor(
    private readonly text: string,
    readonly event: DeltaEvent,
    private readonly deltaAt: number,
    private readonly idAt: number,
    private readonly seqAt: number,
    readonly seq: number,
  ) {
    this.escaped = text.slice(deltaAt, idAt);
  }

  get delta(): string {
    return this.escaped.includes('\\') ? (JSON.parse(`"${this.escaped}"`) as string) : this.escaped;
  }

  /** A substring of the whole frame, which it keeps in memory: compare with `isOf`, and store another copy. */
  get messageId(): string {
    return this.text.slice(this.idAt + ID.length, this.seqAt);
  }

  isOf(messageId: string | undefined): boolean {
    const begin = this.idAt + ID.length;
    return messageId?.length === this.seqAt - begin && this.text.startsWith(messageId, begin);
  }

  get timestamp(): number {
    return Number(this.timestampText);
  }

  get timestampText(): string {
    return this.text.slice(HEAD.length, this.deltaAt - DATA[this.event].length);
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
  // From the end, digit by digit: a search and `Number` of a substring take several times as long.
  let seq = 0;
  let digitAt = text.length - 2;
  for (let unit = 1; isDigit(text.charCodeAt(digitAt)); unit *= 10, digitAt -= 1)
    seq += unit * (text.charCodeAt(digitAt) - DIGIT_0);
  const seqAt = digitAt + 1 - SEQ.length;
  if (idAt === -1 || seqAt < idAt || !text.startsWith(SEQ, seqAt)) return null;
  return new ReadDelta(text, event, deltaAt, idAt, seqAt, seq);
}
