/** What a model says, and what it thinks before it does. */
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
/** A quote within a text is escaped: neither of these stands in one. */
const ID = '","message_id":"';
const SEQ = '"}},"seq":';
/** No number is so long that what follows the name is longer than this. */
const SEQ_WITHIN = SEQ.length + 24;

/** The frames that there are most of, from a template. */
export const writeDeltaFrame = ({ event, delta, messageId, timestamp, seq }: DeltaFrame): string =>
  `${HEAD}${timestamp}${DATA[event]}${JSON.stringify(delta).slice(1, -1)}${ID}${messageId}${SEQ}${seq}}`;

/** As it is read: its words also as they stand in the frame, in JSON. */
export interface ReadDelta extends DeltaFrame {
  json: string;
}

function eventAt(text: string, at: number): DeltaEvent | null {
  if (text.startsWith(DATA['content-delta'], at)) return 'content-delta';
  return text.startsWith(DATA['reasoning-delta'], at) ? 'reasoning-delta' : null;
}

/** What stands in such a frame, without parsing all of it; null where it is another one, or not written like this. */
export function readDeltaFrame(text: string): ReadDelta | null {
  if (!text.startsWith(HEAD)) return null;
  const timeEnd = text.indexOf(',', HEAD.length);
  const event = eventAt(text, timeEnd);
  if (event === null) return null;
  const deltaAt = timeEnd + DATA[event].length;
  const idAt = text.indexOf(ID, deltaAt);
  const seqAt = text.indexOf(SEQ, Math.max(idAt, text.length - SEQ_WITHIN));
  if (idAt === -1 || seqAt === -1) return null;
  const json = text.slice(deltaAt - 1, idAt + 1);
  return {
    event,
    delta: json.includes('\\') ? (JSON.parse(json) as string) : text.slice(deltaAt, idAt),
    messageId: text.slice(idAt + ID.length, seqAt),
    timestamp: Number(text.slice(HEAD.length, timeEnd)),
    seq: Number(text.slice(seqAt + SEQ.length, -1)),
    json,
  };
}
