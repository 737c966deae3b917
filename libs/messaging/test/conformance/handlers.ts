import { Controller } from '@nestjs/common';
import { AppError, sleep } from '@switchyard/kernel';
import type { Ctx } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { FrameBatch, Handles } from '@switchyard/messaging';
import { Calls, Count, Events, HandOver, HandedOver, Happening, Signals, Streams, Text } from './contracts';

/** Records of the serving side. */
export const seen = { wakes: 0, produced: 0, finished: 0, aborted: 0, calls: 0 };

/** Calls that wait until the suite releases them. */
export const waiting: (() => void)[] = [];

const atLength = (): AppError =>
  new AppError('CONFLICT', 'At length.', {
    details: Array.from({ length: 50_000 }, (_, index) => ({ path: `rows[${index}]`, message: 'x'.repeat(500) })),
  });

@Controller()
export class Server {
  @Handles(Calls.echo) echo(data: Text): Text {
    seen.calls += 1;
    return data;
  }

  @Handles(Calls.refuse) refuse(): Text {
    throw new AppError('CONFLICT', 'Not twice.', {
      details: [{ path: 'text', message: 'was there before' }],
      retryAfterSeconds: 3,
    });
  }

  @Handles(Calls.handOver) handOver({ name, password, held: leased }: HandOver): HandedOver {
    return { name, token: `${password} came`, held: leased };
  }

  @Handles(Calls.crash) crash(): Text {
    throw new Error('select * from secrets');
  }

  @Handles(Calls.large) large(data: Count): Text {
    return { text: 'x'.repeat(data.count) };
  }

  @Handles(Calls.unpackable) unpackable(): Text {
    return { text: 1n as never };
  }

  @Handles(Calls.refuseAtLength) refuseAtLength(): Text {
    throw atLength();
  }

  @Handles(Streams.refused) refused(): AsyncGenerator<Count> {
    throw atLength();
  }

  @Handles(Calls.hang) async hang(data: Text): Promise<Text> {
    await sleep(3000);
    return data;
  }

  @Handles(Calls.hold) async hold(data: Text): Promise<Text> {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return data;
  }

  @Handles(Calls.notForYou) notForYou(data: Text): Text {
    return data;
  }

  @Handles(Streams.numbers) async *numbers(data: Count, ctx: Ctx): AsyncGenerator<Count | FrameBatch<Count>> {
    ctx.signal.addEventListener('abort', () => (seen.aborted += 1));
    try {
      if (data.count === 0) throw new AppError('NOT_FOUND', 'Nothing to count.');
      for (let count = 1; count <= data.count; count += 1) {
        seen.produced += 1;
        if (count % 50 === 0) await sleep(1);
        if (data.inBatchesOf === undefined) yield { count };
        else if (count % data.inBatchesOf === 0) yield new FrameBatch(numbersUpTo(count, data.inBatchesOf));
      }
    } finally {
      seen.finished += 1;
    }
  }

  @Handles(Streams.bytes) async *bytes(data: Count): AsyncGenerator<Uint8Array> {
    for (let index = 0; index < data.count; index += 1) {
      await Promise.resolve();
      yield Buffer.alloc(data.bytes ?? 10, index);
    }
  }

  @Handles(Signals.wake) wake(): void {
    seen.wakes += 1;
  }
}

/** The last so many numbers up to one. */
const numbersUpTo = (last: number, length: number): Count[] =>
  Array.from({ length }, (_, index) => ({ count: last - length + 1 + index }));

/** Behaviour of the consumer by message number. */
export const script = {
  poison: new Set<number>(),
  failOnce: new Set<number>(),
  slow: new Set<number>(),
  /** Messages of these keys wait in their handler until it is resolved. */
  held: new Map<string, Promise<void>>(),
  order: [] as string[],
};

@Controller()
export class Consumer {
  @Handles(Events.happened) async onHappened(data: Happening, _ctx: Ctx, tx?: Tx): Promise<void> {
    if (script.poison.has(data.number)) throw new Error('poison');
    if (script.slow.has(data.number)) await tx?.run(`set local statement_timeout = '100ms'; select pg_sleep(5)`);
    await tx?.run('insert into effects (key, number) values ($1, $2)', [data.key, data.number]);
    await script.held.get(data.key);
    if (script.failOnce.delete(data.number)) throw new Error('once');
    script.order.push(`${data.key}:${data.number}`);
  }
}
