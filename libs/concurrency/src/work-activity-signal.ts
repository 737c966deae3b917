let listener: () => void = () => undefined;

/** Call when work arrives (a message, a request). Otherwise the event loop monitor sleeps. */
export const noteActivity = (): void => {
  listener();
};

/** One listener for the process. The returned function removes it. */
export function onActivity(notify: () => void): () => void {
  listener = notify;
  return () => {
    if (listener === notify) listener = () => undefined;
  };
}
