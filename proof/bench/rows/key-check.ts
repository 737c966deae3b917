import { TestPlatform } from '@switchyard/testing';
import { bareClient } from '../../../libs/messaging/test/conformance/bare-client';
import { NatsProcess } from '../../../libs/messaging/test/conformance/nats-process';
import { makeKeys } from '../../../libs/messaging/test/conformance/peer';
import { Client } from 'pg';
import { alternate, atMost, latencyUs } from '../measure';
import { startNoOpGateway } from '../no-op-side';
import type { BenchContext, BenchRow, Measured } from '../row';
import { ONE_SERVICE } from '../shape';
import { SideProcess } from '../side-process';
import { bareSubject } from '../sides/echo';

const rounds = 7;
const hotLimitUs = 20;

/** A key that the gateway knows: what it costs. One that it does not: beside the two trips that are always needed. */
export const keyCheck: BenchRow = {
  name: 'key',
  shapes: ONE_SERVICE,
  async run({ state }: BenchContext): Promise<Measured[]> {
    const platform = new TestPlatform();
    const key = await (await platform.newSpace()).key();
    const gateway = await startNoOpGateway(state);
    const nats = await NatsProcess.start();
    const keys = makeKeys(['task', 'job']);
    const echo = await SideProcess.start('bus-server', {
      ...process.env,
      NATS_URL: nats.url,
      BENCH_KEYS: JSON.stringify(keys),
    });
    const line = await bareClient(nats.url);
    const postgres = new Client({ connectionString: state.databaseUrl });
    await postgres.connect();
    const payload = Buffer.from(JSON.stringify({ key: key.credential }));
    const select = {
      name: 'key-by-id',
      text: 'select * from key.api_keys where id = $1',
      values: [key.identity.keyId],
    };
    const bare = async (): Promise<void> => {
      await line.request(bareSubject, payload, { timeout: 5_000 });
      await postgres.query(select);
    };
    try {
      const hot = Number(await gateway.ask(`hot ${key.credential}`));
      const cold = await alternate(
        rounds,
        async () => Number(await gateway.ask(`cold ${key.credential}`)),
        () => latencyUs(500, bare),
      );
      return [
        {
          what: 'key check, known to the gateway',
          beside: '-',
          ours: hot,
          theirs: NaN,
          unit: 'us CPU',
          ratio: NaN,
          target: `<= ${hotLimitUs} us`,
          judged: 'ours',
          met: hot <= hotLimitUs,
        },
        atMost(1.5, { what: 'key check, unknown, p50', beside: 'prepared select + NATS request', unit: 'us', ...cold }),
      ];
    } finally {
      gateway.stop();
      echo.stop();
      await line.close();
      await nats.remove();
      await postgres.end();
    }
  },
};
