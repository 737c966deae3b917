type Variables = Readonly<Record<string, string | undefined>>;

const SERVICES = 'HOSTED_SERVICES';
const prefixOf = (service: string): string => `${service}/`;

/**
 * The environment of a host. Each variable of a service has its name as a prefix (`agent/NATS_URL`), because services
 * give the same variable different values. `common` is what Node and the system read.
 */
export const hostEnvironment = (services: Readonly<Record<string, Variables>>, common: Variables): Variables => ({
  ...common,
  [SERVICES]: Object.keys(services).join(),
  ...Object.fromEntries(
    Object.entries(services).flatMap(([service, settings]) =>
      Object.entries(settings).map(([name, value]) => [`${prefixOf(service)}${name}`, value]),
    ),
  ),
});

/** By service: the settings that are in the environment of a host. */
export function hostedSettings(environment: Variables): [service: string, settings: Variables][] {
  const services = environment[SERVICES]?.split(',') ?? [];
  const settingsOf = (prefix: string): Variables =>
    Object.fromEntries(
      Object.entries(environment).flatMap(([name, value]) =>
        name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [],
      ),
    );
  return services.map((service) => [service, settingsOf(prefixOf(service))]);
}
