import type { StepDraft } from './task-form';

/** Kind of a step field. `value` is JSON if it parses, else text. */
export type StepFieldKind =
  | 'template'
  | 'value'
  | 'object'
  | 'agent'
  | 'dataset'
  | 'headers'
  | 'event'
  | 'entries'
  | readonly string[];

export interface StepField {
  /** Where it stands in `with`; empty for all of it. */
  path: readonly string[];
  label: string;
  kind: StepFieldKind;
  hint?: string;
  placeholder?: string;
  rows?: number;
  isWide?: boolean;
  /** Only for these operations of a dataset. */
  operations?: readonly string[];
}

const FILTERED = ['update', 'delete', 'query', 'count', 'search'];

/** Fields of each type. Other properties of `with` are edited as JSON. */
export const STEP_FIELDS: Record<StepDraft['type'], readonly StepField[]> = {
  agent: [
    { path: ['agentId'], label: 'Agent', kind: 'agent' },
    { path: ['inputs', 'query'], label: 'Message', kind: 'template', rows: 3, isWide: true },
  ],
  http: [
    { path: ['method'], label: 'Method', kind: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] },
    { path: ['timeoutSeconds'], label: 'Timeout of the request', kind: 'value', hint: 'Seconds.' },
    { path: ['url'], label: 'Address', kind: 'template', placeholder: 'https://', isWide: true },
    {
      path: ['headers'],
      label: 'Headers',
      kind: 'headers',
      hint: 'One a line: authorization: Bearer {{ secrets.NAME }}',
      rows: 2,
      isWide: true,
    },
    { path: ['body'], label: 'Body', kind: 'value', hint: 'JSON or text.', rows: 3, isWide: true },
  ],
  dataset: [
    { path: ['datasetId'], label: 'Dataset', kind: 'dataset' },
    { path: ['operation'], label: 'Operation', kind: ['query', 'search', 'count', 'insert', 'update', 'delete'] },
    { path: ['query'], label: 'Search for', kind: 'template', isWide: true, operations: ['search'] },
    {
      path: ['records'],
      label: 'Records',
      kind: 'value',
      hint: 'A JSON list of records, or one template.',
      rows: 3,
      isWide: true,
      operations: ['insert'],
    },
    { path: ['filter'], label: 'Filter', kind: 'object', rows: 2, isWide: true, operations: FILTERED },
    { path: ['set'], label: 'Set', kind: 'object', rows: 2, isWide: true, operations: ['update'] },
  ],
  emit: [
    { path: ['event'], label: 'Event', kind: 'event', isWide: true },
    { path: ['payload'], label: 'Payload', kind: 'object', rows: 3, isWide: true },
    { path: ['idempotencyKey'], label: 'Idempotency key', kind: 'template', isWide: true },
  ],
  transform: [{ path: [], label: 'Fields', kind: 'entries', isWide: true }],
  wait: [{ path: ['seconds'], label: 'Seconds', kind: 'value' }],
};

export type With = Record<string, unknown>;

export const fieldsOf = (type: StepDraft['type'], value: With): StepField[] =>
  STEP_FIELDS[type].filter(
    ({ operations, path }) =>
      operations === undefined ||
      operations.includes(String(value['operation'])) ||
      // Fields with a value are shown for every operation.
      valueAt(value, path) !== undefined,
  );

export const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? (at as With)[name] : undefined),
    value,
  );

/** Undefined takes the field away. */
export function withValue(value: With, [name, ...rest]: readonly string[], next: unknown): With {
  if (name === undefined) return value;
  const leased = Object.hasOwn(value, name) ? value[name] : undefined;
  const inner = typeof leased === 'object' && leased !== null && !Array.isArray(leased) ? (leased as With) : {};
  const changed = rest.length === 0 ? next : withValue(inner, rest, next);
  if (changed !== undefined) return { ...value, [name]: changed };
  const { [name]: _gone, ...others } = value;
  return others;
}

/** Other properties of `with`. */
export function restOf(type: StepDraft['type'], value: With): With {
  const covered = type === 'emit' ? [['appIdentifier']] : [];
  return [...fieldsOf(type, value).map(({ path }) => path), ...covered].reduce<With>((rest, path) => {
    if (path.length === 0) return {};
    const without = withValue(rest, path, undefined);
    // An object whose fields all have a field of their own is no rest.
    const [outer = ''] = path;
    const remaining = without[outer];
    const isEmpty =
      path.length > 1 && typeof remaining === 'object' && remaining !== null && Object.keys(remaining).length === 0;
    return isEmpty ? withValue(without, [outer], undefined) : without;
  }, value);
}

/** The fields of the form with another rest beside them. */
export function withRest(type: StepDraft['type'], value: With, rest: With): With {
  const stored = type === 'emit' ? [['appIdentifier']] : [];
  return [...stored, ...fieldsOf(type, value).map(({ path }) => path)].reduce<With>((all, path) => {
    const own = valueAt(value, path);
    return own === undefined ? all : withValue(all, path, own);
  }, rest);
}
