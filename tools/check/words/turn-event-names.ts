import { dottedName, PRODUCT_EVENTS } from '@switchyard/contracts';

/** Names of turn events on the wire and in the client. Code takes them from the contracts, and does not write them. */
const ON_WIRE = Object.values(PRODUCT_EVENTS);
/** `response.completed` is an event of OpenAI's streams as well. */
const DOTTED = ON_WIRE.filter((name) => name !== PRODUCT_EVENTS.responseCompleted).map(dottedName);
const NAMES: ReadonlySet<string> = new Set([...ON_WIRE, ...DOTTED]);

export const isTurnEventName = (text: string): boolean => NAMES.has(text);
