import type { UIMessage } from 'ai';
import type { Interaction, TokenUsageBody, TurnStatus } from '../records/turn';
import type { EvidenceItem } from '../stream/turn-event';

/** Metadata of an agent's answer. The id of the message is the id of its turn. */
export interface SwitchyardMetadata {
  agentId?: string;
  sessionId?: string | null;
  turnId?: string;
  status?: TurnStatus;
  finishReason?: string | null;
  /** The tokens of the turn, as they are in the ledger. */
  usage?: TokenUsageBody;
  executionTime?: number;
  /** Parts that a crash has made void, by `providerMetadata.switchyard.part`: `shownParts` leaves them out. */
  void?: Record<string, true>;
}

interface DataParts {
  /** A question of the agent; `transport.answer` answers it. */
  question: Interaction;
  evidence: { items: EvidenceItem[] };
}

/** The SDK asks for a type that has no further members. */
export type SwitchyardDataParts = Pick<DataParts, keyof DataParts>;

export type SwitchyardMessage = UIMessage<SwitchyardMetadata, SwitchyardDataParts>;

/** The parts that count. A message whose step was never run again has all of them. */
export function shownParts<MESSAGE extends UIMessage>(message: MESSAGE): MESSAGE['parts'] {
  const { void: isVoid } = (message.metadata ?? {}) as SwitchyardMetadata;
  if (!isVoid) return message.parts;
  return message.parts.filter((part) => {
    const named = 'providerMetadata' in part ? part.providerMetadata?.['switchyard']?.['part'] : undefined;
    return typeof named !== 'string' || !isVoid[named];
  });
}
