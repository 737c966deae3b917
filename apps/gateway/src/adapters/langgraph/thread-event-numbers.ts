/** Event numbers grow over all turns of a thread: each turn has a range that begins at its start time. */
const SINCE = Date.UTC(2020, 0, 1);
/** No turn sends this many events in a millisecond, so ranges do not overlap. */
const EVENTS_A_MS = 8192;

/** The number before the first event of a turn. */
export const numberBefore = (startedAt: string): number => (Date.parse(startedAt) - SINCE) * EVENTS_A_MS;
