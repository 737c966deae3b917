import type { ProtocolEvent } from './protocol-projection';

/** An event of a turn as tests write it: its name beside its fields. */
export type TestEvent = { event: string } & Record<string, unknown>;

/** An event's data, for tests: frequent events are serialized as text. */
export const eventData = ({ data }: ProtocolEvent): object | string =>
  typeof data === 'string' && data.startsWith('{') ? (JSON.parse(data) as object) : data;
