/** A part of the console that was built before the one that is served now is not there any more. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|module script failed|preload CSS/i.test(error.message);
