/** Numbers of events grow through all turns of a thread: each turn has its own stretch of them, from its beginning on. */
const SINCE = Date.UTC(2020, 0, 1);
/** No turn says so many events in a millisecond, so that none reaches into the numbers of the next one. */
const EVENTS_A_MS = 8192;

/** The number before the first event of a turn. */
export const numberBefore = (startedAt: string): number => (Date.parse(startedAt) - SINCE) * EVENTS_A_MS;
