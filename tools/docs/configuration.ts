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
const OTHERS: Record<string, Class> = { migration: StreamsConfig };

export interface DocumentedVariable extends EnvVariable {
  services: string[];
  /** The services' reasons, without duplicates. */
  reasons: Map<string, string[]>;
}

/** Every variable once, with the services that read it. */
export function allVariables(): DocumentedVariable[] {
  const found = new Map<string, DocumentedVariable>();
  for (const [service, config] of Object.entries({ ...CONFIGS, ...OTHERS })) {
    for (const variable of variablesOf(config)) {
      const existing = found.get(variable.name) ?? { ...variable, services: [], reasons: new Map<string, string[]>() };
      found.set(variable.name, existing);
      existing.services.push(service);
      existing.reasons.set(variable.reason, [...(existing.reasons.get(variable.reason) ?? []), service]);
    }
  }
  return [...found.values()].sort((a, b) => b.services.length - a.services.length || a.name.localeCompare(b.name));
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const defaultOf = (variable: DocumentedVariable): string => {
  if (variable.default !== undefined) return `\`${shown(variable.default)}\``;
  return variable.optional ? '' : '**required**';
};

const readers = (variable: DocumentedVariable): string =>
  Object.keys(CONFIGS).every((service) => variable.services.includes(service)) ? 'all' : variable.services.join(', ');

/** A variable that means something else to each of its services says so for each. */
const reasonOf = ({ reasons }: DocumentedVariable): string =>
  reasons.size === 1
    ? [...reasons.keys()].join('')
    : [...reasons].map(([reason, services]) => `For ${services.join(' and ')}: ${reason}`).join(' ');

export function configurationPage(): string {
  const rows = allVariables().map(
    (variable) =>
      `| \`${variable.name}\` | ${readers(variable)} | ${defaultOf(variable)} | ${reasonOf(variable)}${variable.secret ? ' *Secret.*' : ''} |`,
  );
  return [
    '# Configuration',
    '',
    'Every environment variable of every service. A service validates its variables at the start and reports all problems at once. `npm start` sets the required ones, and passes each service only the variables that it reads (the relay also those that its catalogue may name). [Configure](../operate/configure.md) explains where to set them.',
    '',
    '| Variable | Read by | Default | Meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
    'For the launcher: `SWITCHYARD_HOME` (the folder of data and secrets, default `.switchyard`), `BOOTSTRAP_EMAIL` and `BOOTSTRAP_PASSWORD` (the first owner), and `DATABASE_URL`, `NATS_URL`, `REDIS_URL` to use servers of your own.',
    '',
    'To use TLS to these servers, set it in their addresses (`sslmode=verify-full`, `tls://`, `rediss://`). `NODE_EXTRA_CA_CERTS`, a variable of Node, names a file with your own certificate authority: [TLS](../operate/tls.md). Several hosts in `DATABASE_URL`: [fail-over of Postgres](../operate/high-availability.md#postgres).',
    '',
  ].join('\n');
}

export function exampleFile(): string {
  const lines = allVariables().flatMap((variable) => [
    `# ${reasonOf(variable)}`,
    `# Read by: ${readers(variable)}.${variable.optional || variable.default !== undefined ? '' : ' Set by npm start.'}`,
    `#${variable.name}=${variable.default === undefined ? '' : shown(variable.default)}`,
    '',
  ]);
  return [
    '# What can be set, with its defaults. `npm start` reads .env; take a line in by removing its #.',
    '',
    ...lines,
  ].join('\n');
}
