import { isId } from '@switchyard/kernel';

/** A segment of a turn: the answer to one request of a client. */
export interface SegmentName {
  turnId: string;
  segment: number;
}

/** A call that waits for its client, and where it waits: no table is needed to find it again. */
export type WaitingCall = SegmentName & ({ callId: string } | { interactionId: string });

const short = (id: string): string => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');

function long(text: string): string {
  const hex = Buffer.from(text, 'base64url').toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export const callName = (call: WaitingCall): string =>
  'callId' in call
    ? `call_${short(call.turnId)}_${call.segment}_${call.callId}`
    : `ask_${short(call.turnId)}_${call.segment}_${short(call.interactionId)}`;

export function readCallName(name: string): WaitingCall | null {
  const match = /^(call|ask)_([A-Za-z0-9_-]{22})_([1-9]\d{0,3})_(.{1,200})$/s.exec(name);
  if (!match) return null;
  const [, kind, turn = '', segment, rest = ''] = match;
  const at = { turnId: long(turn), segment: Number(segment) };
  if (!isId(at.turnId)) return null;
  if (kind === 'call') return { ...at, callId: rest };
  return rest.length === 22 && isId(long(rest)) ? { ...at, interactionId: long(rest) } : null;
}
