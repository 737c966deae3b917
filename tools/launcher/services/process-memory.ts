/** The room for new objects. With 8 a service holds 8 MB more, and cleaning twice as often costs nothing to be measured. */
export const SEMI_SPACE_MI = 4;

/**
 * Read by glibc. By itself it gives each of a process's eleven threads an arena of its own, and learns from the first
 * large buffer that is freed to keep tens of megabytes: after a load of streams an agent held 20 MB that it did not use.
 */
export const MALLOC_SETTINGS = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };
