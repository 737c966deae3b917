import type { Match } from './subscription-index';

export interface TaskMatch {
  subscriptionId: string;
  taskId: string;
}

export interface EndpointMatch {
  subscriptionId: string;
  endpointId: string;
}

/** Matched subscriptions of one emission. */
export interface Matches {
  tasks: readonly TaskMatch[];
  endpoints: readonly EndpointMatch[];
}

export const NO_MATCHES: Matches = { tasks: [], endpoints: [] };

export function splitMatches(matches: readonly Match[]): Matches {
  const tasks: TaskMatch[] = [];
  const endpoints: EndpointMatch[] = [];
  for (const { subscriptionId, taskId, endpointId } of matches) {
    if (taskId !== null) tasks.push({ subscriptionId, taskId });
    else if (endpointId !== null) endpoints.push({ subscriptionId, endpointId });
  }
  return { tasks, endpoints };
}

export const matchCount = ({ tasks, endpoints }: Matches): number => tasks.length + endpoints.length;

/** An emission goes once to an endpoint, through the first of its subscriptions that match. */
export function oncePerEndpoint<Found extends { endpointId: string }>(matches: readonly Found[]): Found[] {
  const first = new Map<string, Found>();
  for (const match of matches) if (!first.has(match.endpointId)) first.set(match.endpointId, match);
  return [...first.values()];
}
