import { type VariableNames, variableNames } from './variable-names';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Settings in `environment` that a service reads and receives with another value. `received` has the environment of each
 * service. Names in `exempt` take effect in another way.
 */
export function ignoredSettings(
  environment: Environment,
  received: Readonly<Record<string, Environment>>,
  exempt: ReadonlySet<string>,
  names: VariableNames = variableNames(),
): string[] {
  const ignored = Object.entries(received).flatMap(([service, own]) =>
    (names[service] ?? []).filter((name) => {
      const value = environment[name];
      return value !== undefined && value !== '' && !exempt.has(name) && own[name] !== value;
    }),
  );
  return [...new Set(ignored)].sort();
}

/** One sentence for the terminal or the log, without values: some are secrets. */
export const ignoredSentence = (names: readonly string[], program: string): string =>
  `Ignored settings: ${names.join(', ')}. For these, ${program} uses values of its own, or those of the first start (docs/operate/configure.md#ignored-settings).`;
