import { renameSync, writeFileSync } from 'node:fs';
import type { PlatformState } from '@switchyard/testing';
import type { Secrets } from '../launcher/home/secrets';
import type { Platform } from '../launcher/platform';

export function writeState(
  file: string,
  platform: Platform,
  rest: { secrets: Secrets; controlUrl: string; home: string },
): void {
  const { endpoints } = platform;
  const internalUrls = [...Object.entries(endpoints.internalPorts), ...platform.replicaPorts].map(([name, port]) => [
    name,
    `http://127.0.0.1:${port}`,
  ]);
  const state: PlatformState = {
    url: endpoints.gatewayUrl,
    owner: { email: rest.secrets.ownerEmail, password: rest.secrets.ownerPassword },
    pids: platform.pids,
    internalUrls: Object.fromEntries(internalUrls) as Record<string, string>,
    databaseUrl: endpoints.databaseUrl,
    databaseLogins: endpoints.databaseLogins,
    natsUrl: endpoints.natsUrl,
    redisUrl: endpoints.redisUrl,
    natsApiUrl: endpoints.natsApiUrl,
    simulatorUrl: endpoints.simulatorUrl,
    ...rest,
  };
  writeFileSync(`${file}.new`, JSON.stringify(state, null, 2), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
