import { isId } from '@switchyard/kernel';
import type { SegmentName } from '../../turn-events/client-call-ids';

export const RESPONSE_ID_PATTERN = String.raw`^resp_([0-9a-fA-F-]{36})(?:_([1-9]\d{0,3}))?$`;
const RESPONSE_ID = new RegExp(RESPONSE_ID_PATTERN);

export const responseId = ({ turnId, segment }: SegmentName): string =>
  `resp_${turnId}${segment === 1 ? '' : `_${segment}`}`;

export function readResponseId(id: unknown): SegmentName | null {
  const match = typeof id === 'string' ? RESPONSE_ID.exec(id) : null;
  return match && isId(match[1]) ? { turnId: match[1].toLowerCase(), segment: Number(match[2] ?? 1) } : null;
}

export const conversationId = (sessionId: string): string => `conv_${sessionId}`;

export function readConversationId(id: unknown): string | null {
  const match = typeof id === 'string' ? /^conv_([0-9a-fA-F-]{36})$/.exec(id) : null;
  return match && isId(match[1]) ? match[1].toLowerCase() : null;
}

export type ItemKind = 'msg' | 'rs' | 'fc' | 'mcp';

export const itemId = (kind: ItemKind, { turnId, segment }: SegmentName, index: number): string =>
  `${kind}_${turnId}_${segment}_${index}`;

/** The turn of an output item, from its id. */
export function turnOfItem(id: unknown): string | null {
  const match = typeof id === 'string' ? /^(?:msg|rs|fc|mcp)_([0-9a-f-]{36})_\d+_\d+$/.exec(id) : null;
  return match && isId(match[1]) ? match[1] : null;
}
