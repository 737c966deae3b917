import { variablesOf } from '@switchyard/service';
import { PrepareConfig } from '../deploy/prepare-config';
import { StreamsConfig } from '../deploy/streams-config';
import { CONFIGS } from '../docs/configuration';

/** Variables of the preparation jobs only, not of services. */
const OF_PREPARATION = ['DATABASE_ADMIN_URL', 'DATABASE_LOGINS', 'POSTGRES_PASSWORD'];

/** By service: what its configuration names, and the files that may hold its secrets. */
export const variableNamesOfServices = (): Record<string, string[]> => ({
  migration: [...[StreamsConfig, PrepareConfig].flatMap(variablesOf).map(({ name }) => name), ...OF_PREPARATION],
  ...Object.fromEntries(
    Object.entries(CONFIGS).map(([service, config]) => [
      service,
      variablesOf(config).flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name])),
    ]),
  ),
});
