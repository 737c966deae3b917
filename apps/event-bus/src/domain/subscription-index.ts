import { type Filter, type FilterTest, isPlainObject, jsonBytes, matchesFilter, parseFilter } from '@switchyard/kernel';

/** A subscription beside its filter. */
const ENTRY_BYTES = 300;

/** Of a task or of an endpoint: the other one is null. */
interface SubscriptionTarget {
  taskId: string | null;
  endpointId: string | null;
}

export interface StoredSubscription extends SubscriptionTarget {
  id: string;
  filter: unknown;
}

interface IndexedSubscription extends SubscriptionTarget {
  id: string;
  filter: Filter;
}

export interface Match extends SubscriptionTarget {
  subscriptionId: string;
}

/** Which active subscriptions of one event fit a payload. */
export interface SubscriptionIndex {
  /** About how many bytes its filters have as JSON. */
  bytes: number;
  match(payload: Record<string, unknown>): Match[];
}

/**
 * Built once per change of an event's subscriptions. A subscription that asks for one exact value of a field is
 * found by that value, so that ten thousand of them (one per customer, say) cost an emission no more than ten.
 */
export function buildIndex(subscriptions: readonly StoredSubscription[]): SubscriptionIndex {
  const always: IndexedSubscription[] = [];
  const byField = new Map<string, Map<unknown, IndexedSubscription[]>>();
  for (const { id, taskId, endpointId, filter } of subscriptions) {
    const entry = { id, taskId, endpointId, filter: parseFilter(filter) };
    const key = keyOf(entry.filter);
    if (key === null) {
      always.push(entry);
      continue;
    }
    const values = byField.get(key.field) ?? new Map<unknown, IndexedSubscription[]>();
    byField.set(key.field, values);
    for (const value of key.values) {
      const entries = values.get(value);
      if (entries) entries.push(entry);
      else values.set(value, [entry]);
    }
  }
  return {
    bytes: subscriptions.reduce((sum, { filter }) => sum + ENTRY_BYTES + jsonBytes(filter), 0),
    match: (payload) => {
      const found: Match[] = [];
      const take = (entry: IndexedSubscription): void => {
        const { id: subscriptionId, taskId, endpointId, filter } = entry;
        if (matchesFilter(filter, payload)) found.push({ subscriptionId, taskId, endpointId });
      };
      always.forEach(take);
      for (const [field, values] of byField) {
        if (Object.hasOwn(payload, field)) values.get(payload[field])?.forEach(take);
      }
      return found;
    },
  };
}

interface Key {
  field: string;
  values: Set<unknown>;
}

/** A test that must hold and that names the only values a field may have, where the filter has one. */
function keyOf(filter: Filter): Key | null {
  if (filter.kind === 'test') return keyOfTest(filter);
  if (filter.kind !== 'and') return null;
  let best: Key | null = null;
  for (const part of filter.parts) {
    const key = keyOf(part);
    if (key !== null && (best === null || key.values.size < best.values.size)) best = key;
  }
  return best;
}

function keyOfTest({ field, operator, operand }: FilterTest): Key | null {
  const values = operator === 'eq' ? [operand] : operator === 'in' ? (operand as unknown[]) : null;
  if (values === null || !values.every(isScalar)) return null;
  return { field, values: new Set(values) };
}

const isScalar = (value: unknown): boolean => !Array.isArray(value) && !isPlainObject(value);
