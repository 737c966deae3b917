import type { Activity } from '@switchyard/client';
import { wordsOf } from './status';

/** The part of a title that a person wrote: calls for the simulator (`@@tool …`) are not for reading. */
export const topicOf = (title: string | null | undefined): string =>
  (title ?? '').split(/(?:^|\s)@@/u)[0]?.trim() ?? '';

type Named = Pick<Activity, 'kind' | 'name'> & { agentId?: string | null };

/** A record by name: a turn is its agent and what was asked. `agentName` gives an empty text until it is read. */
export function recordName({ kind, name, agentId }: Named, agentName: (id: string) => string): string {
  const topic = topicOf(name);
  if (kind !== 'turn' || agentId === null || agentId === undefined) return topic || wordsOf(kind);
  const agent = agentName(agentId);
  // A turn without a chat has the name of its agent.
  return [agent, topic === agent ? '' : topic].filter((part) => part !== '').join(': ') || wordsOf(kind);
}
