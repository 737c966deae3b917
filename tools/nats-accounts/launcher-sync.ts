import { rmSync } from 'node:fs';
import type { Home } from '../launcher/home/home';
import type { Secrets } from '../launcher/home/secrets';
import { findBinary } from '../launcher/servers/binaries';
import { servicesFiles } from '../launcher/servers/nats-services';
import { natsApiOperatorKey } from '../launcher/services/service-env';
import { StopSentence } from '../launcher/stop-sentence';
import { AccountsSync } from './accounts-sync';
import { RefusedCall, operatorApi } from './operator-api';

interface LauncherSync {
  home: Home;
  secrets: Secrets;
  environment: NodeJS.ProcessEnv;
  gatewayUrl: string;
  everyMs: number;
  print: (text: string) => void;
}

/** Keeps the users of the private NATS server for services as the platform has them. */
export function launcherSync({ home, secrets, environment, gatewayUrl, everyMs, print }: LauncherSync): AccountsSync {
  const files = servicesFiles(home);
  // Earlier versions made an operator key in the name of the first owner.
  rmSync(home.file('nats-services/operator-key'), { force: true });
  const api = operatorApi(gatewayUrl, () => natsApiOperatorKey(secrets, environment));
  const explained = {
    ...api,
    read: (current?: number) =>
      api.read(current).catch((error: unknown) => {
        throw withRemedy(error);
      }),
  };
  const server = {
    usersFile: files.users,
    configFile: files.config,
    pidFile: files.pid,
    binary: findBinary('nats-server'),
    platformKey: secrets.natsApi.publicKey,
  };
  return new AccountsSync(explained, server, { everyMs, print });
}

const withRemedy = (error: unknown): unknown =>
  error instanceof RefusedCall && error.status === 401
    ? new StopSentence(
        'The operator key of this machine is not accepted, so changes to NATS accounts are not applied. If it was revoked, stop the platform, remove natsApiOperatorKey from secrets.json and start again.',
      )
    : error;
