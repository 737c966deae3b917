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
const EVENTS = Object.keys(DATA) as DeltaEvent[];
/** A quote within a text is escaped: the last of these ends the text. */
const ID = '","message_id":"';
const SEQ = '"}},"seq":';

/** The frames that there are most of, from a template. */
export const writeDeltaFrame = ({ event, delta, messageId, timestamp, seq }: DeltaFrame): string =>
  `${HEAD}${timestamp}${DATA[event]}${JSON.stringify(delta).slice(1, -1)}${ID}${messageId}${SEQ}${seq}}`;

/** What stands in such a frame, without parsing all of it; null where it is another one, or not written like this. */
export function readDeltaFrame(text: string): DeltaFrame | null {
  if (!text.startsWith(HEAD)) return null;
  const timeEnd = text.indexOf(',', HEAD.length);
  const event = EVENTS.find((name) => text.startsWith(DATA[name], timeEnd));
  if (!event) return null;
  const idAt = text.lastIndexOf(ID);
  const seqAt = text.indexOf(SEQ, idAt);
  const deltaAt = timeEnd + DATA[event].length;
  if (idAt < deltaAt || seqAt === -1) return null;
  const delta = text.slice(deltaAt, idAt);
  return {
    event,
    delta: delta.includes('\\') ? (JSON.parse(`"${delta}"`) as string) : delta,
    messageId: text.slice(idAt + ID.length, seqAt),
    timestamp: Number(text.slice(HEAD.length, timeEnd)),
    seq: Number(text.slice(seqAt + SEQ.length, -1)),
  };
}
