let listener: () => void = () => undefined;

/** Call when work arrives (a message, a request). Otherwise the event loop monitor sleeps. */
export const workBegins = (): void => {
  listener();
};

/** One listener for the process. The returned function removes it. */
export function onWorkBegins(told: () => void): () => void {
  listener = told;
  return () => {
    if (listener === told) listener = () => undefined;
  };
}
