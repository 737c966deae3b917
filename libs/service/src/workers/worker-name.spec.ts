import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { isWorkerDead, workerName } from './worker-name';

const onLinux = existsSync('/proc/self/stat') ? it : it.skip;

describe('the name of a worker', () => {
  it('is borne by one alone', () => expect(workerName()).not.toBe(workerName()));
  it('is not gone while its process runs', () => expect(isWorkerDead(workerName())).toBe(false));

  onLinux('is gone once its process has ended', async () => {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)']);
    const name = workerName().replace(`.${process.pid}.`, `.${child.pid ?? 0}.`);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    expect(isWorkerDead(name)).toBe(true);
  });

  onLinux('is gone when another process has its id by now', () =>
    expect(isWorkerDead(workerName().replace(/\d+$/, '1'))).toBe(true),
  );
  it('is not judged from another machine', () => {
    expect(isWorkerDead('01890000-0000-7000-8000-000000000000@ffff.1.2.3')).toBe(false);
    expect(isWorkerDead('01890000-0000-7000-8000-000000000000')).toBe(false);
  });
});
