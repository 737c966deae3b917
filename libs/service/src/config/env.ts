import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import {
  Class,
  FieldDecorator,
  FieldOptions,
  JsonSchema,
  Spec,
  compileValidator,
  declareField,
  fieldsOf,
  schemaOf,
  validatorOf,
} from '@switchyard/contracts';
import type { ServiceSettings } from '../hosting/hosting';
import { isDevelopmentSecret } from './development-secret';

export interface EnvOptions<T = unknown> {
  default?: Readonly<T>;
  /** Why the variable exists: the configuration table of the documentation is made of these. */
  reason: string;
  /** May be missing, and is then undefined. */
  optional?: boolean;
  /** Never printed, never documented with a value. */
  secret?: boolean;
  /** A secret that a person thinks of, and that has its own rules where it is used. */
  isPassword?: boolean;
  /** The variable that belongs to it: a process that is given one of them alone does not start. */
  togetherWith?: string;
  /** For proofs: a process that is given another value than the default starts only with NODE_ENV=test. */
  testsOnly?: boolean;
}

const ENV = Symbol('env');
type EnvMetadata = Record<string, EnvOptions>;

/** One environment variable: the field's name is the variable's. */
export function Env<T, const O extends EnvOptions<T>>(spec: Spec<T>, options: O): FieldDecorator<T, O> {
  return (target: object, property: string, ..._: unknown[]) => {
    const declared = (Reflect.getMetadata(ENV, target.constructor) ?? {}) as EnvMetadata;
    Reflect.defineMetadata(ENV, { ...declared, [property]: options }, target.constructor);
    const field: FieldOptions = { optional: options.optional, description: options.reason, default: options.default };
    declareField(target, property, spec, field);
  };
}

export interface EnvVariable extends EnvOptions {
  name: string;
  kind: string;
}

/** All variables of a configuration class, for checks and for the documentation. */
export function variablesOf(type: Class): EnvVariable[] {
  const metadata = (Reflect.getMetadata(ENV, type) ?? {}) as EnvMetadata;
  return fieldsOf(type).flatMap(({ name, spec }) => {
    const options = metadata[name];
    return options ? [{ name, kind: spec.kind, ...options }] : [];
  });
}

export class ConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(`The configuration is wrong:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

function parse(variable: EnvVariable, text: string): unknown {
  switch (variable.kind) {
    case 'int':
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text;
    case 'bool':
      return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text;
    case 'object':
    case 'list':
      try {
        return JSON.parse(text) as unknown;
      } catch {
        return text;
      }
    default:
      return text;
  }
}

const PREFIX = 'SWITCHYARD_';
/**
 * Variables of our prefix that configure launchers, clients and test runs, not a service. A shell that has exported them
 * for the examples of the documentation may start a platform as well.
 */
const OTHERS_VARIABLES = new Set([
  'SWITCHYARD_HOME',
  'SWITCHYARD_PROCESSES',
  'SWITCHYARD_ALLOW_PRIVATE_EGRESS',
  'SWITCHYARD_EGRESS_PORTS',
  'SWITCHYARD_URL',
  'SWITCHYARD_KEY',
  'SWITCHYARD_TOKEN',
  'SWITCHYARD_SPACE',
  'SWITCHYARD_UNSTEADY_FILES',
  'SWITCHYARD_APPROVAL_TURNS',
]);

function unknownVariables(env: ServiceSettings, variables: EnvVariable[]): string[] {
  const names = new Set(variables.map((variable) => variable.name));
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !name.startsWith(`${PREFIX}TEST_`))
    .filter((name) => !names.has(name) && !OTHERS_VARIABLES.has(name))
    .map((name) => `${name} is not a variable of this service`);
}

const forTestsOnly = (values: Record<string, unknown>, variables: EnvVariable[]): string[] =>
  variables
    .filter(({ name, testsOnly, default: usual }) => testsOnly && values[name] !== usual && values.NODE_ENV !== 'test')
    .map(({ name }) => `${name} is for proofs alone, and this is no test (NODE_ENV)`);

const withoutTheOther = (values: Record<string, unknown>, variables: EnvVariable[]): string[] =>
  variables.flatMap(({ name, togetherWith: other }) =>
    other !== undefined && values[name] !== undefined && values[other] === undefined
      ? [`${name} is set and ${other} is not: set both, or none`]
      : [],
  );

const developmentSecrets = (values: Record<string, unknown>, variables: EnvVariable[]): string[] =>
  values.NODE_ENV !== 'production'
    ? []
    : variables.flatMap(({ name, secret, isPassword }) => {
        const value = values[name];
        const isDevelopmentValue = secret && !isPassword && typeof value === 'string' && isDevelopmentSecret(value);
        return isDevelopmentValue
          ? [`${name} is a secret that everybody knows: make one of your own (openssl rand -base64 32)`]
          : [];
      });

/** A secret may also be in a file, whose name is in `<variable>_FILE`: then it is in no environment. */
function given({ name, secret }: EnvVariable, env: ServiceSettings, problems: string[]): string | undefined {
  const file = secret ? env[`${name}_FILE`] : undefined;
  if (!file) return env[name];
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    problems.push(`${name}_FILE names ${file}, which cannot be read`);
    return undefined;
  }
}

/** One by one: a validator of the whole would stop at the first. */
function badValues(type: Class, values: Record<string, unknown>): string[] {
  const { properties = {} } = schemaOf(type, { closed: false }) as { properties?: Record<string, JsonSchema> };
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (values[name] === undefined) return [];
    const validate = compileValidator({ type: 'object', properties: { [name]: schema } });
    return (validate({ [name]: values[name] }) ?? []).map(({ path, message }) => `${path} ${message}`);
  });
}

/** Reads a configuration once, checks all of it, and freezes it. */
export function readConfig<T extends object>(type: Class<T>, env: ServiceSettings): Readonly<T> {
  const variables = variablesOf(type);
  const config = new type();
  const values = config as Record<string, unknown>;
  const problems: string[] = [];
  for (const variable of variables) {
    const text = given(variable, env, problems);
    if (text !== undefined && text !== '') values[variable.name] = parse(variable, text);
    else if (variable.default !== undefined) values[variable.name] = variable.default;
    else if (!variable.optional) problems.push(`${variable.name} is missing (${variable.reason})`);
  }
  if (problems.length > 0 || validatorOf(type, { closed: false })(values)) problems.push(...badValues(type, values));
  problems.push(
    ...unknownVariables(env, variables),
    ...forTestsOnly(values, variables),
    ...withoutTheOther(values, variables),
    ...developmentSecrets(values, variables),
  );
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config);
}
