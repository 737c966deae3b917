import type { ChildProcessByStdio } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { endsWithUs } from '../../tools/launcher/processes/transient';

export interface LoadStatus {
  result: unknown;
  /** Answers that were not as they should be. */
  wrong: unknown[];
  /** Requests that were sent again after 503, or no answer. */
  interrupted: number;
  served: number;
}

/** A process that takes a command a line and answers with a line. */
export class Conversation {
  private readonly answers: AsyncIterator<string>;

  constructor(private readonly child: ChildProcessByStdio<Writable, Readable, null>) {
    endsWithUs(child);
    this.answers = createInterface(child.stdout)[Symbol.asyncIterator]();
  }

  async ask(...words: string[]): Promise<LoadStatus> {
    this.child.stdin.write(`${words.join(' ')}\n`);
    const answer = await this.answers.next();
    if (answer.done === true) throw new Error(`the work ended at "${words[0]}"`);
    return JSON.parse(answer.value) as LoadStatus;
  }

  end(): void {
    this.child.stdin.end();
  }
}
