import { spawn } from 'node:child_process';
import path from 'node:path';
import { until } from '@switchyard/testing';
import { freePort } from '../../../tools/launcher/ports';
import { installPeer } from '../peers';
import { SideProcess } from '../side-process';
import type { Target } from './relay-load';

export interface RelayPeer {
  target: Target;
  pid: number | undefined;
  stop(): void;
}

/** One hop and nothing else: what the machine allows. */
export async function startBareRelay(upstreamUrl: string): Promise<RelayPeer> {
  const side = await SideProcess.start('bare-relay', { PATH: process.env.PATH, UPSTREAM_URL: upstreamUrl });
  return {
    target: { url: `${side.ready}/models/v1`, headers: {} },
    pid: side.pid,
    stop: () => {
      side.stop();
    },
  };
}

/**
 * Portkey's gateway, open source edition. The server library that its range resolves to answers every stream with an
 * error on this Node; the version before does not.
 */
export async function startPortkey(upstreamUrl: string): Promise<RelayPeer> {
  const folder = await installPeer('portkey', {
    dependencies: { '@portkey-ai/gateway': '1.15.2' },
    overrides: { '@hono/node-server': '1.8.2' },
  });
  const port = await freePort();
  const server = path.join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  const child = spawn(process.execPath, [server, `--port=${port}`, '--headless'], { cwd: folder, stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(url).catch(() => null)) !== null);
  return {
    target: {
      url: `${url}/v1`,
      headers: { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': upstreamUrl, authorization: 'Bearer none' },
    },
    pid: child.pid,
    stop: () => child.kill('SIGKILL'),
  };
}
