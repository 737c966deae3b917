import { isFrame, type TurnFrame } from '@switchyard/contracts';
import { invalid } from '@switchyard/kernel';
import type { Projection, ProtocolEvent } from '../../turn-events/protocol-projection';

export type Metadata = Readonly<Record<string, string>>;

/** As OpenAI has them. */
const LIMITS = { pairs: 16, name: 64, value: 512 };

/** Metadata of a request, returned with every response. */
export function metadataOf(given: Readonly<Record<string, unknown>> | null | undefined): Metadata {
  const pairs = Object.entries(given ?? {});
  if (pairs.length > LIMITS.pairs) throw invalid('metadata', `must not have more than ${LIMITS.pairs} pairs`);
  for (const [name, value] of pairs) {
    if (name.length > LIMITS.name)
      throw invalid('metadata', `must not have names of more than ${LIMITS.name} characters`);
    if (typeof value !== 'string' || value.length > LIMITS.value)
      throw invalid(`metadata.${name}`, `must be a string of at most ${LIMITS.value} characters`);
  }
  return Object.fromEntries(pairs) as Metadata;
}

/** Metadata of the turn's start, from the frame that names its session. */
export const metadataIn = (frame: TurnFrame): Metadata | null =>
  isFrame(frame, 'sessionStarted') ? ((frame.data.metadata as Metadata | undefined) ?? {}) : null;

const sorted = (metadata: Metadata): string =>
  JSON.stringify(Object.entries(metadata).sort(([one], [other]) => (one < other ? -1 : 1)));

/** Checks whether a turn was started with this metadata. */
export class HasMetadata implements Projection {
  isOver = false;
  isTrue = false;

  constructor(private readonly expected: Metadata) {}

  read(frame: TurnFrame): ProtocolEvent[] {
    const found = metadataIn(frame);
    if (found === null) return [];
    this.isOver = true;
    this.isTrue = sorted(found) === sorted(this.expected);
    return [];
  }
}
