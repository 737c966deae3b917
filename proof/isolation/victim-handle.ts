import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { endsWithUs } from '../../tools/launcher/processes/transient';
import type { VictimReport } from './victim';

/** Interface of the victim, for all runs. */
export interface VictimHandle {
  start: () => void;
  stop: () => Promise<VictimReport>;
}

export class VictimProcess implements VictimHandle {
  private constructor(private readonly child: ChildProcess) {}

  static async begin(): Promise<VictimProcess> {
    const child = fork(path.join(__dirname, 'victim-process.js'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    endsWithUs(child);
    const [text] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as unknown[];
    if (text !== 'ready') throw new Error('the victim could not be prepared');
    return new VictimProcess(child);
  }

  start(): void {
    this.child.send('start');
  }

  async stop(): Promise<VictimReport> {
    this.child.send('stop');
    const [report] = (await once(this.child, 'message')) as [VictimReport];
    return report;
  }

  end(): void {
    this.child.disconnect();
  }
}
