import type { ProtocolEvent } from './projection';

/** What an event carries, for tests: those that there are most of are written as texts. */
export const saidData = ({ data }: ProtocolEvent): object | string =>
  typeof data === 'string' && data.startsWith('{') ? (JSON.parse(data) as object) : data;
