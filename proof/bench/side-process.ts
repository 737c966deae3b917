import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { MALLOC_SETTINGS } from '../../tools/launcher/services/process-memory';
import { nodeFlags } from '../../tools/launcher/services/service-process';

/** One side of a comparison in a process of its own, so that it does not share the measuring one's thread. */
export class SideProcess {
  private constructor(
    private readonly child: ChildProcess,
    /** Its ready message, for instance its address. */
    readonly ready: string,
  ) {}

  static async start(name: string, environment: NodeJS.ProcessEnv): Promise<SideProcess> {
    const child = fork(path.join(__dirname, 'sides', `${name}.js`), {
      env: { ...MALLOC_SETTINGS, ...environment },
      // As the launcher starts services.
      execArgv: nodeFlags,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const ready = await new Promise<string>((resolve, reject) => {
      child.once('message', (message) => {
        resolve(message as string);
      });
      child.once('exit', (code) => {
        reject(new Error(`${name} ended with code ${code} before it was ready`));
      });
    });
    return new SideProcess(child, ready);
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  ask(question: string): Promise<string> {
    return new Promise((resolve) => {
      this.child.once('message', (message) => {
        resolve(message as string);
      });
      this.child.send(question);
    });
  }

  stop(): void {
    this.child.kill('SIGKILL');
  }

  /** Stops it, and waits until nothing reaches it any more. */
  async end(): Promise<void> {
    const removed = new Promise((resolve) => this.child.once('exit', resolve));
    this.stop();
    await removed;
  }
}
