/**
 * Operations of a disk that may hang: they fail after a while. Until they return, no other one is begun: each takes one
 * of the few threads that a process has for files.
 */
export class DiskLimit {
  private hanging = 0;

  get isHanging(): boolean {
    return this.hanging > 0;
  }

  constructor(private readonly limitMs: number) {}

  async run<T>(work: () => Promise<T>, limitMs = this.limitMs): Promise<T> {
    if (this.isHanging) throw new Error('the disk hangs');
    const working = work();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        this.hanging += 1;
        const end = (): unknown => (this.hanging -= 1);
        void working.then(end, end);
        reject(new Error(`the disk has not answered within ${limitMs} ms`));
      }, limitMs);
    });
    try {
      return await Promise.race([working, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
