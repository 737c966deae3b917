/**
 * Resolves when the work has ended; if it takes longer than `ms`, when `onLate` has. Work that ends before does not leave
 * a timer behind: the process may live on, with other services.
 */
export async function withinGrace(work: Promise<void>, ms: number, onLate: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve, reject) => {
    timer = setTimeout(() => {
      onLate().then(resolve, reject);
    }, ms).unref();
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
