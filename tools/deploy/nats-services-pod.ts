import 'reflect-metadata';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isNatsPublicKey, usersFile } from '@switchyard/messaging';
import { type LoadedAccounts, type OperatorApi, operatorApi } from '../nats-accounts/operator-api';
import { NATS_SERVICES_FOLDER, NATS_TLS_FOLDER, USERS_FILE, certificatesIn, natsServicesConfig } from './nats-services';

const AGAIN_AFTER_MS = 2_000;

/** The accounts, as soon as the platform answers. Each reason for a wait is printed once. */
async function accountsOf(api: OperatorApi): Promise<LoadedAccounts> {
  let reason: string | undefined;
  for (;;) {
    try {
      const accounts = await api.read();
      if (accounts) return accounts;
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (text !== reason) console.log(`Waiting for the accounts: ${text}`);
      reason = text;
    }
    await sleep(AGAIN_AFTER_MS);
  }
}

/**
 * Before the NATS server of services starts in its pod, whose folder is empty then: its configuration, and all its users.
 *
 *   node dist/tools/deploy/nats-services-pod.js [folder]     with SWITCHYARD_URL, SWITCHYARD_KEY (an operator key with
 *                                                            operator:nats) and NATS_API_PUBLIC_KEY (the platform's user)
 */
async function writeFiles(folder: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const { SWITCHYARD_URL: url, SWITCHYARD_KEY: key, NATS_API_PUBLIC_KEY: platform } = environment;
  if (!url || !key) throw new Error('SWITCHYARD_URL or SWITCHYARD_KEY is missing');
  if (!platform || !isNatsPublicKey(platform)) throw new Error('NATS_API_PUBLIC_KEY is no public key of a NATS user');
  const { revision, users } = await accountsOf(operatorApi(url, () => key));
  const write = (name: string, text: string): void => {
    writeFileSync(join(folder, `${name}.new`), text, { mode: 0o600 });
    renameSync(join(folder, `${name}.new`), join(folder, name));
  };
  write('nats-services.conf', natsServicesConfig(folder, certificatesIn(NATS_TLS_FOLDER)));
  write(USERS_FILE, usersFile(revision, users, platform));
  return `Revision ${revision}: ${users.length} users of accounts.`;
}

// As the first process of a container it would not end at a signal by itself.
process.once('SIGTERM', () => process.exit(143));

writeFiles(process.argv[2] ?? NATS_SERVICES_FOLDER, process.env).then(
  (text) => {
    console.log(text);
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
