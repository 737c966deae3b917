/** What comes of the work, unless the signal fires first. The work goes on unheard: who asks again must name it the same. */
export function abandonOn<T>(
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
