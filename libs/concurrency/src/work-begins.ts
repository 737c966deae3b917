let listener: () => void = () => undefined;

/** To be called where work comes in: a message, a request. The watch of the event loop sleeps without it. */
export const workBegins = (): void => {
  listener();
};

/** One listener of the process. The returned function ends it. */
export function onWorkBegins(told: () => void): () => void {
  listener = told;
  return () => {
    if (listener === told) listener = () => undefined;
  };
}
