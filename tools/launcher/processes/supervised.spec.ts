import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Supervised } from './supervised';

describe('a supervised process', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'supervised-'));
  afterAll(() => {
    rmSync(directory, { recursive: true });
  });

  it('that ends after its stop has begun is not started again', async () => {
    const notes: string[] = [];
    let changes = 0;
    let onEnd = (): void => undefined;
    const hasEnded = new Promise<void>((resolve) => (onEnd = resolve));
    const supervised = new Supervised(
      {
        name: 'host',
        describe: () => ({
          name: 'host',
          command: process.execPath,
          // Without a handler, which a host that still loads its code does not have either.
          args: ['-e', 'setInterval(() => undefined, 1000)'],
          env: process.env,
          cwd: directory,
          logFile: path.join(directory, 'host.log'),
        }),
        isReady: () => Promise.resolve(true),
        readyWithinMs: 60_000,
        stopSignal: 'SIGTERM',
        stopGraceMs: 60_000,
      },
      {
        onProcesses: () => {
          changes += 1;
          if (changes === 2) onEnd();
        },
        onNote: (text) => notes.push(text),
      },
    );
    await supervised.start();
    supervised.beginStop('SIGUSR2');
    await hasEnded;
    await supervised.stop();
    expect([supervised.pid, changes, notes]).toEqual([undefined, 2, []]);
  });
});
