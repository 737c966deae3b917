import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type CountReply, type CountRequest, READY } from './tokenizer-messages';

interface Thread {
  worker: Worker;
  ready: Promise<void>;
}

/** The tables take 70 MiB. A thread that grows past this ends alone, and its texts count by their bytes. */
const MAX_HEAP_MB = 256;

/** Starts the tokenizer's thread at the first use, and again after it has died. */
export class TokenizerThreadClient {
  private thread: Thread | null = null;
  private last = 0;
  private readonly waiting = new Map<
    number,
    { resolve: (reply: CountReply) => void; reject: (error: Error) => void }
  >();

  constructor(private readonly file = join(__dirname, 'tokenizer-thread.js')) {}

  /** Resolves when the tables are loaded. */
  ready(): Promise<void> {
    return this.started().ready;
  }

  count(texts: string[], budgetMs: number): Promise<CountReply> {
    const { worker } = this.started();
    const id = (this.last += 1);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      worker.postMessage({ id, texts, budgetMs } satisfies CountRequest);
    });
  }

  async stop(): Promise<void> {
    const { thread } = this;
    this.thread = null;
    await thread?.worker.terminate();
  }

  private started(): Thread {
    if (this.thread) return this.thread;
    const worker = new Worker(this.file, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
    worker.unref();
    const ready = new Promise<void>((resolve, reject) => {
      worker.on('message', (message: CountReply | typeof READY) => {
        if (message === READY) resolve();
        else this.settle(message);
      });
      worker.on('error', (error) => {
        reject(error);
        this.lose(worker, error);
      });
      worker.on('exit', () => {
        const error = new Error('the tokenizer thread ended');
        reject(error);
        this.lose(worker, error);
      });
    });
    // A caller of `ready` hears of it; without one it must not end the process.
    ready.catch(() => undefined);
    this.thread = { worker, ready };
    return this.thread;
  }

  private settle(reply: CountReply): void {
    this.waiting.get(reply.id)?.resolve(reply);
    this.waiting.delete(reply.id);
  }

  private lose(worker: Worker, error: Error): void {
    if (this.thread?.worker !== worker) return;
    this.thread = null;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}
