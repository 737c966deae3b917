import { AgentConfig } from '../../apps/agent/src/agent.config';
import { DatasetConfig } from '../../apps/dataset/src/dataset.config';
import { EventBusConfig } from '../../apps/event-bus/src/event-bus.config';
import { GatewayConfig } from '../../apps/gateway/src/gateway.config';
import { JobConfig } from '../../apps/job/src/job.config';
import { KeyConfig } from '../../apps/key/src/key.config';
import { RelayConfig } from '../../apps/relay/src/relay.config';
import { SessionConfig } from '../../apps/session/src/session.config';
import { TaskConfig } from '../../apps/task/src/task.config';
import { type EnvVariable, variablesOf } from '@switchyard/service';
import { PrepareConfig } from '../deploy/prepare-config';
import { StreamsConfig } from '../deploy/streams-config';
import type { Class } from '@switchyard/contracts';

export const CONFIGS: Record<string, Class> = {
  gateway: GatewayConfig,
  agent: AgentConfig,
  session: SessionConfig,
  job: JobConfig,
  task: TaskConfig,
  dataset: DatasetConfig,
  key: KeyConfig,
  'event-bus': EventBusConfig,
  relay: RelayConfig,
};

/** Configurations of what is no service. */
const OTHERS: Record<string, Class> = { migration: StreamsConfig, migrate: PrepareConfig };

export interface DocumentedVariable extends EnvVariable {
  services: string[];
  /** The services that do not start without it. */
  requiredBy: string[];
  /** The services' reasons, without duplicates. */
  reasons: Map<string, string[]>;
}

/** Every variable once, with the services that read it. */
export function allVariables(): DocumentedVariable[] {
  const found = new Map<string, DocumentedVariable>();
  for (const [service, config] of Object.entries({ ...CONFIGS, ...OTHERS })) {
    for (const variable of variablesOf(config)) {
      const existing = found.get(variable.name) ?? {
        ...variable,
        services: [],
        requiredBy: [],
        reasons: new Map<string, string[]>(),
      };
      found.set(variable.name, existing);
      existing.services.push(service);
      if (!variable.optional && variable.default === undefined) existing.requiredBy.push(service);
      existing.reasons.set(variable.reason, [...(existing.reasons.get(variable.reason) ?? []), service]);
    }
  }
  return [...found.values()].sort((a, b) => b.services.length - a.services.length || a.name.localeCompare(b.name));
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const defaultOf = (variable: DocumentedVariable): string => {
  if (variable.default !== undefined) return `\`${shown(variable.default)}\``;
  const { services, requiredBy } = variable;
  if (requiredBy.length === 0) return '';
  return requiredBy.length === services.length ? '**required**' : `**required** by ${requiredBy.join(', ')}`;
};

const readers = (variable: DocumentedVariable): string =>
  Object.keys(CONFIGS).every((service) => variable.services.includes(service)) ? 'all' : variable.services.join(', ');

/** A variable that means something else to each of its services says so for each. */
const reasonOf = ({ reasons }: DocumentedVariable): string =>
  reasons.size === 1
    ? [...reasons.keys()].join('')
    : [...reasons].map(([reason, services]) => `For ${services.join(' and ')}: ${reason}`).join(' ');

export function configurationPage(): string {
  const rowOf = (variable: DocumentedVariable): string =>
    `| \`${variable.name}\` | ${readers(variable)} | ${defaultOf(variable)} | ${reasonOf(variable)}${variable.secret ? ' *Secret.*' : ''} |`;
  const table = (variables: DocumentedVariable[]): string[] => [
    '| Variable | Read by | Default | Meaning |',
    '|---|---|---|---|',
    ...variables.map(rowOf),
    '',
  ];
  const all = allVariables();
  return [
    '# Configuration',
    '',
    'Every environment variable of every service. A service validates its variables at the start and reports all problems at once. `npm start` sets the required ones, and passes each service only the variables that it reads (the relay also those that its catalogue may name). [Configure](../operate/configure.md) explains where to set them.',
    '',
    ...table(all.filter(({ testsOnly }) => !testsOnly)),
    'For the launcher: `SWITCHYARD_HOME` (the folder of data and secrets, default `.switchyard`), `NATS_API_PORT` (the port of the NATS server for your services, default 4223; if it is taken, the next free one), `BOOTSTRAP_EMAIL` and `BOOTSTRAP_PASSWORD` (the first owner), `SWITCHYARD_PROCESSES` ([`hosts`, the default, or `services`](../operate/sizing.md#several-services-in-a-process)), and `DATABASE_URL`, `NATS_URL`, `REDIS_URL` to use servers of your own.',
    '',
    'To use TLS to these servers, set it in their addresses (`sslmode=verify-full`, `tls://`, `rediss://`). `NODE_EXTRA_CA_CERTS`, a variable of Node, names a file with your own certificate authority: [TLS](../operate/tls.md). Several hosts in `DATABASE_URL`: [fail-over of Postgres](../operate/high-availability.md#postgres).',
    '',
    '## For tests',
    '',
    'A service that receives one of these does not start, unless `NODE_ENV` is `test`.',
    '',
    ...table(all.filter(({ testsOnly }) => testsOnly)),
  ].join('\n');
}

/** Settings that operators decide, by task. All other settings have defaults that fit, and are on the page alone. */
const EXAMPLE: Readonly<Record<string, readonly string[]>> = {
  'Addresses and proxies': [
    'GATEWAY_HOST',
    'GATEWAY_PORT',
    'PUBLIC_URL',
    'TRUSTED_PROXIES',
    'ALLOWED_HOSTS',
    'CORS_ORIGINS',
  ],
  'Servers of your own (npm start; Compose uses its own)': ['DATABASE_URL', 'NATS_URL', 'REDIS_URL'],
  'Models: models.yaml names providers and the variables of their keys': [
    'MODELS_FILE',
    'SYSTEM_AGENT_MODEL',
    'DATASET_EMBED_MODEL',
  ],
  'First start': ['BOOTSTRAP_EMAIL', 'BOOTSTRAP_PASSWORD'],
  'Secrets (npm start; otherwise generated, and changed with npm run secrets)': ['KEY_PEPPERS', 'DATA_KEY'],
  'Sign-in': [
    'ACCESS_TOKEN_SECONDS',
    'REFRESH_IDLE_DAYS',
    'REFRESH_MAX_DAYS',
    'OIDC_ISSUER',
    'OIDC_AUDIENCE',
    'OIDC_JWKS_URL',
    'OIDC_LINK_BY_EMAIL',
  ],
  'Spaces and tokens': [
    'SPACE_CREATION',
    'SPACE_OWNERS_MAY_CREDIT',
    'INITIAL_SPACE_TOKENS',
    'MEMBER_SPACE_TOKENS',
    'REQUEST_TOKEN_CAP',
    'DAILY_TOKEN_CAP',
    'RATE_LIMIT_PER_MINUTE',
    'SPACE_RATE_LIMIT_PER_MINUTE',
  ],
  'Outbound requests and web search': [
    'SWITCHYARD_ALLOW_PRIVATE_EGRESS',
    'SWITCHYARD_EGRESS_PORTS',
    'WEB_SEARCH_URL',
    'WEB_SEARCH_KEY',
  ],
  'Logs and traces': [
    'LOG_LEVEL',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'OTEL_TRACES_SAMPLER_ARG',
    'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT',
  ],
  Retention: [
    'EVENT_RETENTION_DAYS',
    'TASK_EXECUTION_RETENTION_DAYS',
    'JOB_RETENTION_DAYS',
    'SECURITY_EVENTS_RETENTION_DAYS',
    'SESSION_INTERACTION_DAYS',
  ],
};

export function exampleFile(): string {
  const all = new Map(allVariables().map((variable) => [variable.name, variable]));
  const line = (name: string): string[] => {
    const variable = all.get(name);
    if (!variable) throw new Error(`${name} is in the example, and no service reads it`);
    return [`# ${reasonOf(variable)}`, `#${name}=${variable.default === undefined ? '' : shown(variable.default)}`];
  };
  const sections = Object.entries(EXAMPLE).flatMap(([task, names]) => [`## ${task}`, '', ...names.flatMap(line), '']);
  return [
    '# The settings that operators decide, with their defaults. Remove the # in front of a line that you change.',
    '# npm start and Compose read this file as .env. Sizes and limits are in docs/reference/configuration.md.',
    '',
    ...sections,
  ].join('\n');
}
