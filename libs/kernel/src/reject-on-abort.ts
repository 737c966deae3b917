/** Rejects when the signal fires first. The work itself goes on, so a retry must use the same id. */
export function rejectOnAbort<T>(
  signal: AbortSignal,
  work: Promise<T>,
  reason: () => Error = () => signal.reason as Error,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const leave = (): void => {
      reject(reason());
    };
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', leave);
    });
  });
}
