import {
  dottedName,
  type DottedName,
  type Evidence,
  PRODUCT_EVENTS,
  type ProductEventKey,
  type ProductEventName,
  type ProductFields,
} from '../api/turn-frames';
import type { Interaction, TokenUsageBody, TurnStatus } from '../records/turn';
import type { Frame } from './frame';

export type EvidenceItem = Evidence;

/** Fields that are records of the API, in place of their types in the streaming protocol. */
interface ApiFields {
  toolExecution: Omit<ProductFields<'toolExecution'>, 'error'> & { error?: unknown };
  knowledgeEvidence: { items: EvidenceItem[] };
  agentInputRequired: { interaction: Interaction };
  responseCompleted: Omit<ProductFields<'responseCompleted'>, 'token_usage' | 'result'> & {
    token_usage: TokenUsageBody;
    result?: unknown;
  };
  errorOccurred: ProductFields<'errorOccurred'> & { retryable: boolean };
  streamEnded: { status: TurnStatus };
}

type NameOf<Key extends ProductEventKey> = DottedName<(typeof PRODUCT_EVENTS)[Key]>;

/** The product events by their dotted names, with the fields of each. */
export type TurnEventData = {
  [Key in ProductEventKey as NameOf<Key>]: Key extends keyof ApiFields ? ApiFields[Key] : ProductFields<Key>;
};

export type TurnEventName = keyof TurnEventData;

/** One product event. Text, tool output and evidence come from models and strangers: treat them as untrusted. */
export type TurnEvent = {
  [Name in TurnEventName]: { name: Name; seq: number; data: TurnEventData[Name] };
}[TurnEventName];

type EventOf<Key extends ProductEventKey> = Extract<TurnEvent, { name: NameOf<Key> }>;

/** Fields of one event, by its name in camel case. */
export type TurnEventFields<Key extends ProductEventKey> = EventOf<Key>['data'];

type TurnEventHandler<Key extends ProductEventKey, Result> = (
  data: TurnEventFields<Key>,
  event: EventOf<Key>,
) => Result;

/** A handler for each event that matters, by the name of the event in camel case: `contentDelta`. */
export type TurnEventHandlers<Result = void> = { [Key in ProductEventKey]?: TurnEventHandler<Key, Result> | null };

/** As `TurnEventHandlers`, and complete: null for an event without effect. A new event breaks the build here. */
export type EveryTurnEvent<Result = void> = {
  [Key in ProductEventKey]: TurnEventHandler<Key, Result> | null;
};

const NAMES = new Map<string, TurnEventName>(Object.values(PRODUCT_EVENTS).map((name) => [name, dottedName(name)]));
const KEYS = new Map<string, ProductEventKey>(
  Object.entries(PRODUCT_EVENTS).map(([key, name]: [string, ProductEventName]) => [
    dottedName(name),
    key as ProductEventKey,
  ]),
);

/** The product event in a frame; null for the protocol's own frames and for events of a later version. */
export function eventOf(frame: Frame): TurnEvent | null {
  if (frame.method !== 'custom:service') return null;
  const { event, ...data } = frame.params.data;
  const name = NAMES.get(String(event));
  return name ? ({ name, seq: frame.seq, data } as TurnEvent) : null;
}

/** Calls the handler of an event; undefined where there is none, or no event. */
export function handleEvent<Result>(event: TurnEvent | null, handlers: TurnEventHandlers<Result>): Result | undefined {
  if (!event) return undefined;
  const key = KEYS.get(event.name);
  const handler = key && (handlers[key] as ((data: object, event: TurnEvent) => Result) | null | undefined);
  return handler?.(event.data, event);
}

export const isEvent = <Key extends ProductEventKey>(event: TurnEvent | null, key: Key): event is EventOf<Key> =>
  event !== null && KEYS.get(event.name) === key;
