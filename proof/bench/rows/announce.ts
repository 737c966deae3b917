import { randomUUID } from 'node:crypto';
import { Field, defineEvent, f, serviceCtx } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { makeDatabase } from '../../../libs/messaging/test/conformance/peer';
import { alternate, atMost, latencyUs } from '../measure';
import type { BenchContext, BenchRow, Measured } from '../row';
import { ONE_SERVICE } from '../shape';

class Happening {
  @Field(f.text({ max: 300 })) text!: string;
}

const happened = defineEvent({ name: 'task.bench-happened', source: 'task', data: Happening, consumers: ['job'] });
const quiet = { warn: () => undefined, error: () => undefined };

/** A transaction that announces an event, beside one that inserts a row of the same size. Both are on the disk after it. */
export const announce: BenchRow = {
  name: 'announce',
  shapes: ONE_SERVICE,
  async run({ state }: BenchContext): Promise<Measured[]> {
    const { urls, drop } = await makeDatabase(state.databaseUrl, ['task']);
    const database = new Database({ service: 'task', url: urls.task ?? '', poolSize: 4, log: quiet });
    await database.connect();
    const ctx = serviceCtx('task');
    const data = { text: 'x'.repeat(230) };
    const text = JSON.stringify(data);
    const context = JSON.stringify(ctx);
    const insert = `insert into outbox (id, name, at, ctx, data, pending, locked_until) values ($1, 'plain', now(), $2, $3, '{}', 'infinity')`;
    try {
      const pair = await alternate(
        5,
        () => latencyUs(600, () => database.system('bench', (tx) => tx.announce(happened, ctx, data))),
        () => latencyUs(600, () => database.system('bench', (tx) => tx.run(insert, [randomUUID(), context, text]))),
      );
      return [atMost(1.3, { what: 'tx.announce, p50', beside: 'plain insert of the same row', unit: 'us', ...pair })];
    } finally {
      await database.close();
      await drop();
    }
  },
};
