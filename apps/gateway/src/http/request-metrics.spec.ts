import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { Logger, Metrics } from '@switchyard/service';
import { until } from '@switchyard/testing';
import fastifyOf from 'fastify';
import { recordRequestMetrics } from './request-metrics';

describe('requests whose response is not complete', () => {
  const metrics = new Metrics('gateway');
  const fastify = fastifyOf();

  beforeAll(async () => {
    recordRequestMetrics(fastify, metrics, new Logger('gateway', 'silent'));
    fastify.get('/endless', (_request, reply) => {
      const body = new Readable({ read: () => undefined });
      body.push('a');
      return reply.send(body);
    });
    fastify.get('/hijacked', (_request, reply) => {
      reply.hijack();
      reply.raw.write('a');
    });
    fastify.get('/whole', () => 'a');
    await fastify.listen({ port: 0, host: '127.0.0.1' });
  });

  afterAll(() => fastify.close());

  const open = async (): Promise<number> =>
    Number(/^switchyard_http_requests_open\S* (\d+)$/m.exec(await metrics.text())?.[1]);

  it.each(['endless', 'hijacked'])('are counted until the client leaves: %s', async (path) => {
    const { port } = fastify.server.address() as AddressInfo;
    const client = request({ port, host: '127.0.0.1', path: `/${path}` });
    client.on('error', () => {});
    client.end();
    await until(async () => (await open()) === 1);
    client.destroy();
    await new Promise((resolve) => client.once('close', resolve));
    await until(async () => (await open()) === 0);
  });

  it('are counted once', async () => {
    const { port } = fastify.server.address() as AddressInfo;
    await Promise.all(
      Array.from({ length: 5 }, () => fetch(`http://127.0.0.1:${port}/whole`).then((answer) => answer.text())),
    );
    await until(async () => (await open()) === 0);
    await fastify.inject('/whole');
    await until(async () => (await open()) === 0);
  });
});
