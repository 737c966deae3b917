/**
 * The room for new objects. It holds those of all calls that run: with 4, among a hundred of them, four in ten objects
 * outlived each cleaning and were copied, which took a relay and its gateway a quarter of their time. With 16 it is no less; more
 * saves time among hundreds of turns, and costs memory (ADR 52).
 */
export const SEMI_SPACE_MI = 8;

/** Of a process with several services: fewer processes leave room for it, and it halves what collecting garbage costs (ADR 66). */
export const HOST_SEMI_SPACE_MI = 32;

/**
 * Read by glibc. By itself it gives each of a process's eleven threads an arena of its own, and learns from the first
 * large buffer that is freed to keep tens of megabytes: after a load of streams an agent held 20 MB that it did not use.
 */
export const MALLOC_SETTINGS = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };
