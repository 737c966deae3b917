import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Health, type Logger } from '@switchyard/service';
import type { RelayConfig } from '../relay.config';
import type { CatalogueStore } from './catalogue-store';
import { SimulatorWatch } from './simulator-watch';

async function modelsOf(
  url: string,
  isBuiltIn: boolean,
): Promise<{ ready: boolean; models: unknown; warnings: string[] }> {
  const health = new Health();
  const warnings: string[] = [];
  const warn = (_fields: object, line: string): void => void warnings.push(line);
  const catalogue = { isBuiltIn } as CatalogueStore;
  const config = { SIMULATOR_URL: url } as RelayConfig;
  new SimulatorWatch(catalogue, config, health, { warn } as unknown as Logger).onModuleInit();
  health.markStarted();
  const { ready, dependencies } = await health.report();
  return { ready, models: dependencies['models'], warnings };
}

test('readiness names the missing models file when the simulator is not there, and the relay is ready for one', async () => {
  const { ready, models, warnings } = await modelsOf('http://127.0.0.1:9/v1', true);
  expect(ready).toBe(true);
  expect(models).toEqual({
    up: false,
    required: false,
    detail: expect.stringMatching(/no models file.*127\.0\.0\.1:9/),
  });
  expect(warnings).toEqual([expect.stringMatching(/no models file/)]);
});

test('a simulator that answers is an upstream', async () => {
  const server = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  // The first request of a process takes long on a busy machine.
  await fetch(url);
  const { models, warnings } = await modelsOf(url, true);
  server.closeAllConnections();
  server.close();
  expect(models).toEqual({ up: true, required: false });
  expect(warnings).toEqual([]);
});

test('with a catalogue nothing asks for the simulator', async () => {
  const { models, warnings } = await modelsOf('http://127.0.0.1:9/v1', false);
  expect(models).toEqual({ up: true, required: false });
  expect(warnings).toEqual([]);
});
