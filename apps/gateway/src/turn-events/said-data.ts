import type { ProtocolEvent } from './projection';

/** An event's data, for tests: frequent events are serialized as text. */
export const saidData = ({ data }: ProtocolEvent): object | string =>
  typeof data === 'string' && data.startsWith('{') ? (JSON.parse(data) as object) : data;
