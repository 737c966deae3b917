import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Supervised, type SupervisedOptions, type SupervisorEvents } from './supervised';

// Without a handler, which a host that still loads its code does not have either.
const WAITS = 'setInterval(() => undefined, 1000)';

describe('a supervised process', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'supervised-'));
  afterAll(() => {
    rmSync(directory, { recursive: true });
  });

  /** It is ready when it has written a line. */
  function supervise(
    script: string,
    events: Partial<SupervisorEvents>,
    options: Partial<SupervisedOptions> = {},
  ): Supervised {
    let isReady = false;
    return new Supervised(
      {
        name: 'host',
        describe: () => ({
          name: 'host',
          command: process.execPath,
          args: ['-e', `${script}; console.log('ready')`],
          env: process.env,
          cwd: directory,
          logFile: path.join(directory, 'host.log'),
          onLine: () => (isReady = true),
        }),
        isReady: () => Promise.resolve(isReady),
        readyWithinMs: 60_000,
        stopSignal: 'SIGTERM',
        stopGraceMs: 60_000,
        ...options,
      },
      { onProcesses: () => undefined, onNote: () => undefined, ...events },
    );
  }

  it('that ends after its stop has begun is not started again', async () => {
    const notes: string[] = [];
    let changes = 0;
    let onEnd = (): void => undefined;
    const hasEnded = new Promise<void>((resolve) => (onEnd = resolve));
    const onProcesses = (): void => {
      changes += 1;
      if (changes === 2) onEnd();
    };
    const supervised = supervise(WAITS, { onProcesses, onNote: (text) => notes.push(text) });
    await supervised.start();
    supervised.beginStop('SIGUSR2');
    await hasEnded;
    await supervised.stop();
    expect([supervised.pid, changes, notes]).toEqual([undefined, 2, []]);
  });

  async function endsAtStop(handler: string, stopGraceMs = 60_000): Promise<unknown[]> {
    const ends: unknown[] = [];
    const onDisorderlyEnd = (end: unknown): unknown => ends.push(end);
    const supervised = supervise(`${handler}; ${WAITS}`, { onDisorderlyEnd }, { stopGraceMs });
    await supervised.start();
    await supervised.stop();
    return ends;
  }

  test.each([
    ['that ignores its stop and is killed', '', 100, { code: null, signal: 'SIGKILL' }],
    ['that has an error at its stop', 'process.exit(1)', 60_000, { code: 1, signal: null }],
    ['that ends of another signal', `process.kill(process.pid, 'SIGHUP')`, 60_000, { code: null, signal: 'SIGHUP' }],
  ])('%s has not ended in order', async (_, atStop, stopGraceMs, end) => {
    const ends = await endsAtStop(`process.on('SIGTERM', () => { ${atStop} })`, stopGraceMs);
    expect(ends).toEqual([{ ...end, hasBeenReady: true }]);
  });

  test.each([
    ['that ends with the code 0', `process.on('SIGTERM', () => process.exit(0))`],
    ['that ends of the signal of its stop', ''],
  ])('%s has ended in order', async (_, handler) => {
    expect(await endsAtStop(handler)).toEqual([]);
  });

  it('that cannot be started again leaves the launcher running', async () => {
    let onNote = (_: string): void => undefined;
    const noted = new Promise<string>((resolve) => (onNote = resolve));
    const supervised = supervise(`process.on('SIGUSR2', () => process.exit(1)); ${WAITS}`, {
      onNote,
      onOwnEnd: () => {
        throw new Error('the disk is full');
      },
    });
    await supervised.start();
    process.kill(supervised.pid ?? 0, 'SIGUSR2');
    expect(await noted).toBe('host is not started again: the disk is full');
    await supervised.stop();
  });
});
