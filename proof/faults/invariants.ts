import { type StateChange, wrongChanges } from './audit';
import { grouped } from './grouped';
import type { LoggedOperation } from './history';
import { type Violation, violationsOf } from './violations';

export interface EmissionRow {
  id: string;
  key: string | null;
  status: string;
  matched: number;
  replays: number;
  payload: Record<string, unknown>;
}

export interface DeliveryRow {
  id: string;
  envelopeId: string;
  subscriptionId: string;
  replay: number;
  status: string;
  executionId: string | null;
}

export interface ExecutionRow {
  id: string;
  taskId: string;
  status: string;
  envelopeId: string;
  /** How often each of its steps has been recorded. */
  steps: number;
}

export interface RunRecords {
  operations: readonly LoggedOperation[];
  emissions: readonly EmissionRow[];
  deliveries: readonly DeliveryRow[];
  executions: readonly ExecutionRow[];
  /** The subscriptions that match every emission, with the task of each. */
  subscriptions: ReadonlyMap<string, string>;
  /** Events that some outbox still holds. */
  outboxRows: number;
  /** Lines of logs that speak of an end that no fault caused. */
  changes: readonly StateChange[];
  unexpectedEnds: readonly string[];
}

type Rule = (found: RunRecords) => string[];

/** Invariants, checked on responses and on the database. */
const rules = {
  'every accepted emission has exactly one envelope': ({ operations, emissions }) => {
    const byKey = grouped(emissions, (emission) => emission.key ?? emission.id);
    const accepted = operations.filter(({ outcome }) => outcome === 'accepted' || outcome === 'duplicate');
    return accepted.flatMap(({ key, envelopeId }) => {
      const found = byKey.get(key) ?? [];
      if (found.length !== 1) return [`${key} has ${found.length} envelopes`];
      return found[0]?.id === envelopeId
        ? []
        : [`${key} was answered with ${String(envelopeId)} and is ${String(found[0]?.id)}`];
    });
  },
  'no key has two envelopes': ({ emissions }) =>
    [...grouped(emissions, (emission) => emission.key ?? emission.id)].flatMap(([key, found]) =>
      found.length > 1 ? [`${key}: ${found.length}`] : [],
    ),
  'a refused emission has no envelope': ({ operations, emissions }) => {
    const keys = new Set(emissions.map(({ key }) => key));
    const taken = new Set(operations.filter(({ outcome }) => outcome !== 'refused').map(({ key }) => key));
    return operations.flatMap(({ key, outcome }) =>
      outcome === 'refused' && !taken.has(key) && keys.has(key) ? [key] : [],
    );
  },
  'an envelope holds the payload that was accepted': ({ operations, emissions }) => {
    const sent = new Map(
      operations.filter(({ outcome }) => outcome === 'accepted').map(({ key, payload }) => [key, payload]),
    );
    return emissions.flatMap(({ key, payload }) => {
      const expected = key === null ? undefined : sent.get(key);
      return expected && expected.n !== payload.n ? [`${String(key)}: ${JSON.stringify(payload)}`] : [];
    });
  },
  'nothing waits once all is quiet': ({ emissions, deliveries, executions, outboxRows }) => [
    ...emissions.filter(({ status }) => status !== 'DISPATCHED').map(({ id, status }) => `envelope ${id} is ${status}`),
    ...deliveries.filter(({ status }) => status !== 'TRIGGERED').map(({ id, status }) => `delivery ${id} is ${status}`),
    ...executions
      // What lost its process twice is given up, as promised.
      .filter(({ status }) => status !== 'SUCCEEDED' && status !== 'GIVEN_UP')
      .map(({ id, status }) => `execution ${id} is ${status}`),
    ...(outboxRows > 0 ? [`${outboxRows} events are still in an outbox`] : []),
  ],
  'each envelope, subscription and replay has exactly one delivery': ({ emissions, deliveries, subscriptions }) => {
    const found = grouped(
      deliveries,
      ({ envelopeId, subscriptionId, replay }) => `${envelopeId}/${subscriptionId}/${replay}`,
    );
    const expected = new Set<string>();
    for (const { id, replays } of emissions) {
      for (let replay = 0; replay <= replays; replay += 1) {
        for (const subscriptionId of subscriptions.keys()) expected.add(`${id}/${subscriptionId}/${replay}`);
      }
    }
    return [
      ...[...expected]
        .filter((name) => found.get(name)?.length !== 1)
        .map((name) => `${name}: ${found.get(name)?.length ?? 0}`),
      ...[...found.keys()].filter((name) => !expected.has(name)).map((name) => `${name} should not be`),
    ];
  },
  'each delivery has exactly one execution of its task': ({ emissions, deliveries, executions, subscriptions }) => {
    const runs = new Map<string, number>();
    for (const { taskId, envelopeId } of executions)
      runs.set(`${envelopeId}/${taskId}`, (runs.get(`${envelopeId}/${taskId}`) ?? 0) + 1);
    const problems = emissions.flatMap(({ id, replays }) =>
      [...subscriptions.values()].flatMap((taskId) => {
        const count = runs.get(`${id}/${taskId}`) ?? 0;
        return count === replays + 1 ? [] : [`${id} started task ${taskId} ${count} times instead of ${replays + 1}`];
      }),
    );
    const ids = new Set(executions.map(({ id }) => id));
    const orphans = deliveries.filter(({ executionId }) => executionId !== null && !ids.has(executionId));
    return [...problems, ...orphans.map(({ id }) => `delivery ${id} names an execution that is not there`)];
  },
  'matched counts are what was delivered': ({ emissions, subscriptions }) =>
    emissions.filter(({ matched }) => matched !== subscriptions.size).map(({ id, matched }) => `${id}: ${matched}`),
  'no step is recorded twice': ({ executions }) =>
    executions.filter(({ steps }) => steps !== 1).map(({ id, steps }) => `${id}: ${steps}`),
  'an execution that has ended is not written again, and goes only where executions go': ({ changes }) =>
    wrongChanges(changes),
  'no process ends by itself': ({ unexpectedEnds }) => [...unexpectedEnds],
} satisfies Record<string, Rule>;

export type EmissionRule = keyof typeof rules;

export const violationsIn = (found: RunRecords): Violation[] => violationsOf(rules, found);
