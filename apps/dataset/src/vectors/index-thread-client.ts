import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { IndexReply, IndexRequest } from './index-messages';

interface PendingRequest {
  readonly thread: Worker;
  resolve(reply: IndexReply): void;
  reject(error: Error): void;
}

/** The other end of the thread that holds the vectors. The thread starts at the first use. */
export class IndexThreadClient {
  constructor(private readonly file = join(__dirname, 'index-thread.js')) {}

  private thread: Worker | null = null;
  private readonly waiting = new Map<number, PendingRequest>();
  private last = 0;

  /** Grows when a thread starts and when it is lost: the index of an earlier one is gone from then on. */
  generation = 0;

  /** The number of the thread that runs, which is started for this where none does. */
  started(): number {
    this.running();
    return this.generation;
  }

  /** As `ask`, of the thread of this generation; null where that has ended. */
  askOf(generation: number, request: IndexRequest): Promise<IndexReply | null> {
    return generation === this.generation ? this.ask(request) : Promise.resolve(null);
  }

  ask(request: IndexRequest): Promise<IndexReply> {
    const thread = this.running();
    this.last += 1;
    const number = this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(number, { thread, resolve, reject });
      const transfer = 'vectors' in request ? [request.vectors.buffer as ArrayBuffer] : [];
      thread.postMessage({ number, request }, transfer);
    });
  }

  async stop(): Promise<void> {
    await this.thread?.terminate();
  }

  private running(): Worker {
    if (this.thread !== null) return this.thread;
    const thread = new Worker(this.file);
    thread.unref();
    thread.on('message', (reply: IndexReply) => {
      const waiting = this.waiting.get(reply.number);
      this.waiting.delete(reply.number);
      if (reply.error === undefined) waiting?.resolve(reply);
      else waiting?.reject(new Error(reply.error));
    });
    const lapsed = (error: Error): void => {
      if (this.thread === thread) {
        this.thread = null;
        this.generation += 1;
      }
      // A loss is told twice, by its error and by its end, and a successor may be at work by then.
      for (const [number, waiting] of this.waiting) {
        if (waiting.thread !== thread) continue;
        this.waiting.delete(number);
        waiting.reject(error);
      }
    };
    thread.on('error', lapsed);
    thread.on('exit', () => {
      lapsed(new Error('the vector thread ended'));
    });
    this.thread = thread;
    this.generation += 1;
    return thread;
  }
}
