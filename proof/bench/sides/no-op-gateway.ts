import { ANY_MEMBER } from '@switchyard/contracts';
// The gateway as it is, with one more route that does nothing; and its check of a known credential, timed in place.
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { KeyCalls, serviceCtx } from '@switchyard/contracts';
import { Bus, BusServer } from '@switchyard/messaging';
import { bringUp, readConfig } from '@switchyard/service';
import { readCredential } from '../../../apps/gateway/src/auth/credential';
import { Principals } from '../../../apps/gateway/src/auth/principals';
import { ok } from '../../../apps/gateway/src/routing/success-response';
import { Endpoint } from '../../../apps/gateway/src/routing/endpoint.decorator';
import { GatewayConfig } from '../../../apps/gateway/src/gateway.config';
import { GatewayModule } from '../../../apps/gateway/src/gateway.module';
import { registerHooks, createHttpServer } from '../../../apps/gateway/src/server/http-server';
import { httpServerDepsOf } from '../../../apps/gateway/src/server/http-server-deps';
import { RouteTable } from '../../../apps/gateway/src/http/route-table';
import { unroutedOf } from '../../../apps/gateway/src/server/unmatched-request';
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
  const config = readConfig(GatewayConfig, process.env);
  const options = { logger: false, bodyParser: false, abortOnError: false } as const;
  const endpoint = createHttpServer(
    config,
    unroutedOf(() => app),
  );
  const app: NestFastifyApplication = await NestFactory.create<NestFastifyApplication>(
    BenchGatewayModule,
    endpoint,
    options,
  );
  app.get(RouteTable).watch(app.getHttpAdapter().getInstance());
  registerHooks(app.getHttpAdapter().getInstance(), config, httpServerDepsOf(app));
  app.connectMicroservice({ strategy: app.get(BusServer, { strict: false }) });
  await app.startAllMicroservices();
  await app.init();
  await bringUp(app);
  await app.listen(0, '127.0.0.1');
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
