import { Client } from './client';
import { type ExtraProcess, freePort, startProcess } from './extra-process';
import type { TestPlatform } from './platform';

export interface ExtraGateway extends ExtraProcess {
  anonymous: Client;
  /** The same caller, at this gateway. */
  at(client: Client): Client;
}

export async function startGateway(platform: TestPlatform, env: NodeJS.ProcessEnv = {}): Promise<ExtraGateway> {
  const port = await freePort();
  const anonymous = new Client(`http://127.0.0.1:${port}`, null);
  const isUp = async (): Promise<boolean> => (await anonymous.raw('GET', '/health/live')).status === 200;
  const { stop } = await startProcess(platform, 'gateway', { GATEWAY_PORT: String(port), ...env }, isUp);
  return { stop, anonymous, at: (client) => new Client(anonymous.host, client.authorization, client.identity) };
}
