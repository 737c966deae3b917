import type { Secrets } from '../launcher/home/secrets';
import { SERVICES, type ServiceName } from '../launcher/service-names';
import { ignoredSettings } from '../launcher/services/ignored-settings';
import type { VariableNames } from '../launcher/services/variable-names';
import { type Servers, plainEnv, secretEnv } from './container-env';
import { natsServicesEnv } from './nats-services';
import { operatorSettings } from './operator-settings';

type Environments = Record<ServiceName, Record<string, string>>;

/** The environment of each service in Compose: the operator's settings, and over them what the deployment decides. */
export const environmentsOfServices = (
  environment: NodeJS.ProcessEnv,
  secrets: Secrets,
  servers: Servers,
  natsServices: Parameters<typeof natsServicesEnv>[2] | undefined,
  names?: VariableNames,
): Environments =>
  Object.fromEntries(
    SERVICES.map((service) => [
      service,
      {
        ...operatorSettings(service, environment, names),
        ...plainEnv(service, secrets, servers),
        ...secretEnv(service, secrets, servers),
        ...(natsServices ? natsServicesEnv(service, secrets, natsServices) : {}),
      },
    ]),
  ) as Environments;

/** Effective although services receive other values: an address gets its password, and Compose publishes the port. */
const USED_BY_SETUP = new Set(['GATEWAY_PORT', 'REDIS_URL']);

/** Settings of .env without effect. `IGNORED_SETTINGS` has those that docker-compose.yml replaces, which setup cannot see. */
export function ignoredBySetup(environment: NodeJS.ProcessEnv, received: Environments, names?: VariableNames): string[] {
  const replaced = (environment.IGNORED_SETTINGS ?? '').split(' ').filter((name) => name !== '');
  const ofMigration = environment.NATS_MIGRATION_SEED ? ['NATS_MIGRATION_SEED'] : [];
  return [...ignoredSettings(environment, received, USED_BY_SETUP, names), ...ofMigration, ...replaced].sort();
}
