import { ANY_MEMBER } from '@switchyard/contracts';
// The gateway as it is, with two more routes; and its check of a known credential, timed in place.
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { KeyCalls, serviceCtx } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { readConfig } from '@switchyard/service';
import { readCredential } from '../../../apps/gateway/src/auth/credential';
import { Principals } from '../../../apps/gateway/src/auth/principals';
import { ok } from '../../../apps/gateway/src/routing/success-response';
import { Endpoint } from '../../../apps/gateway/src/routing/endpoint.decorator';
import { GatewayConfig } from '../../../apps/gateway/src/gateway.config';
import { GatewayModule } from '../../../apps/gateway/src/gateway.module';
import { startGateway } from '../../../apps/gateway/src/start-gateway';
import { latencyUs } from '../measure';

/** As large as the list of the MCP tools. */
const LIST = Array.from({ length: 100 }, (_, n) =>
  Object.fromEntries(Array.from({ length: 10 }, (__, field) => [`field-${field}`, `${n} ${'x'.repeat(73)}`])),
);

@Controller('api/bench')
class NoOpController {
  @Get('no-op') @Endpoint({ summary: 'Do nothing', access: ANY_MEMBER }) nothing(): object {
    return ok('Nothing done.', { done: false });
  }

  @Get('list') @Endpoint({ summary: 'List something large', access: ANY_MEMBER }) list(): object {
    return ok('Listed.', LIST);
  }
}

@Module({ imports: [GatewayModule], controllers: [NoOpController] })
class BenchGatewayModule {}

const hotTurns = 200_000;

/** Microseconds of CPU that this process spends on one check of a credential that it knows. */
async function hotCheckUs(principals: Principals, header: string): Promise<number> {
  const check = (): unknown => {
    const credential = readCredential(header);
    return credential && principals.resolve(credential);
  };
  await check();
  for (let turn = 0; turn < 20_000; turn += 1) check();
  const from = process.cpuUsage();
  for (let turn = 0; turn < hotTurns; turn += 1) check();
  const spent = process.cpuUsage(from);
  return (spent.user + spent.system) / hotTurns;
}

async function serve(): Promise<void> {
  const { app } = await startGateway(BenchGatewayModule, readConfig(GatewayConfig, process.env));
  const bus = app.get(Bus, { strict: false });
  process.on('message', (message) => {
    const [question, key = ''] = String(message).split(' ');
    const answer =
      question === 'hot'
        ? hotCheckUs(app.get(Principals), `Bearer ${key}`)
        : latencyUs(500, () => bus.call(KeyCalls.verifyKey, serviceCtx('gateway'), { key }));
    void answer.then((value) => process.send?.(String(value)));
  });
  process.send?.(await app.getUrl());
}

void serve();
