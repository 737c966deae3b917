import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';

/** Postgres with pgvector as WebAssembly, in a process of its own. */
export class Pglite {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(): Promise<Pglite> {
    const child = fork(path.join(__dirname, 'pglite-process.mjs'), { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const { port } = (await answerOf(child)) as { port: number };
    return new Pglite(child, `postgres://postgres@127.0.0.1:${port}/postgres`);
  }

  /** For every connection, those that are open included. */
  async say(sql: string): Promise<void> {
    const answer = answerOf(this.child);
    this.child.send(sql);
    const { error } = (await answer) as { error?: string };
    if (error !== undefined) throw new Error(error);
  }

  stop(): void {
    this.child.disconnect();
    this.child.kill('SIGKILL');
  }
}

const answerOf = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const ended = (): void => {
      reject(new Error('PGlite ended'));
    };
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message);
    });
  });
