import { environmentOf, isOfEveryProcess, type VariableNames } from '../launcher/services/variable-names';
import type { ServiceName } from '../launcher/service-names';

/** Variables of the container `setup` itself, from docker-compose.yml and the image: no settings of a service. */
export const SETUPS_OWN: ReadonlySet<string> = new Set([
  'APP',
  'BOOTSTRAP_EMAIL',
  'BOOTSTRAP_PASSWORD',
  'DATABASE_ADMIN_URL',
  'HOSTNAME',
  'IGNORED_SETTINGS',
  'INTERNAL_PORT',
  'NATS_API_PORT',
  'NATS_URL',
  'NODE_ENV',
  'POSTGRES_PASSWORD',
  'REDIS_PASSWORD_KEPT',
  'REDIS_URL',
  'SIMULATOR_URL',
]);

const isSetting = (name: string): boolean =>
  !SETUPS_OWN.has(name) && (name.startsWith('SWITCHYARD_') || !isOfEveryProcess(name));

/** The operator's settings (.env) for one service: those that it declares, and for the relay the keys of providers. */
export function operatorSettings(
  service: ServiceName,
  environment: NodeJS.ProcessEnv,
  names?: VariableNames,
): Record<string, string> {
  const settings = Object.entries(environment).filter(([name, value]) => isSetting(name) && value !== '');
  return environmentOf(service, Object.fromEntries(settings), names) as Record<string, string>;
}
