import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  Client,
  type ExtraProcess,
  type TestPlatform,
  freePort,
  serviceSettings,
  startProcess,
  startScript,
} from '@switchyard/testing';
import { hostEnvironment } from '../host-environment';

export type Shape = 'a process each' | 'one process';
export const SHAPES: readonly Shape[] = ['a process each', 'one process'];

const NO_RELAY = 'http://127.0.0.1:1';

export interface GatewayAndRelay {
  /** The same caller, at this gateway. */
  at(client: Client): Client;
  metrics(service: 'gateway' | 'relay'): Promise<string>;
  stop(signal?: 'SIGTERM'): Promise<void>;
}

interface PairSettings {
  gateway?: NodeJS.ProcessEnv;
  relay?: NodeJS.ProcessEnv;
  /** JSON of models.yaml. */
  catalogue?: object;
}

/**
 * One more gateway and relay beside the platform's own, in either shape. A gateway that shares its process with the
 * relay is given an address at which none listens, so that it can reach the relay in its process only. The relay also
 * takes calls of the platform's bus, with its own catalogue: no other test may run beside this.
 */
export async function startGatewayAndRelay(
  platform: TestPlatform,
  shape: Shape,
  { gateway = {}, relay = {}, catalogue }: PairSettings = {},
): Promise<GatewayAndRelay> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'gateway-and-relay-'));
  if (catalogue) writeFileSync(path.join(folder, 'models.yaml'), JSON.stringify(catalogue));
  const [port, ofGateway, ofRelay] = [await freePort(), await freePort(), await freePort()];
  const ports = { gateway: ofGateway, relay: ofRelay };
  const { state } = platform;
  const urlOf = (service: keyof typeof ports): string => `http://127.0.0.1:${ports[service]}`;
  const settings = {
    gateway: {
      GATEWAY_PORT: String(port),
      INTERNAL_PORT: String(ofGateway),
      INTERNAL_URLS: JSON.stringify({
        ...state.internalUrls,
        relay: shape === 'one process' ? NO_RELAY : urlOf('relay'),
      }),
      ...gateway,
    },
    relay: {
      DATABASE_URL: state.databaseLogins.relay,
      INTERNAL_PORT: String(ofRelay),
      SIMULATOR_URL: state.simulatorUrl,
      MODELS_FOLDER: folder,
      ...relay,
    },
  };
  const isReady = (service: keyof typeof ports) => async (): Promise<boolean> =>
    (await fetch(`${urlOf(service)}/health/ready`).catch(() => null))?.ok === true;
  const processes: ExtraProcess[] =
    shape === 'one process'
      ? [
          await startScript(
            'tools/host/main.js',
            hostEnvironment(
              {
                gateway: serviceSettings(platform, 'gateway', settings.gateway),
                relay: serviceSettings(platform, 'relay', settings.relay),
              },
              { NODE_ENV: 'test' },
            ),
            async () => (await isReady('gateway')()) && isReady('relay')(),
          ),
        ]
      : [
          await startProcess(platform, 'relay', settings.relay, isReady('relay')),
          await startProcess(platform, 'gateway', settings.gateway, isReady('gateway')),
        ];
  return {
    at: (client) => new Client(`http://127.0.0.1:${port}`, client.authorization, client.identity),
    metrics: async (service) => (await fetch(`${urlOf(service)}/metrics`)).text(),
    stop: async (signal) => {
      await Promise.all(processes.map((each) => each.stop(signal)));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
