import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { openHome } from '../../launcher/home/home';
import { loadSecrets } from '../../launcher/home/secrets';
import { SERVICES } from '../../launcher/service-names';
import { sizeOf } from '../../launcher/services/service-size';
import { secretsOf } from '../kubernetes-secrets';
import { CHART, Helm } from './helm';

const helm = new Helm();

describe('values that the chart refuses', () => {
  const WRONG: [name: string, values: object][] = [
    ['a name that no template reads', { replicaCount: 3 }],
    ['a typing error deeper down', { services: { gateway: { autoscaling: { minReplica: 3 } } } }],
    ['a service that is not there', { services: { gatway: {} } }],
    ['a number of replicas in words', { services: { gateway: { replicas: '3' } } }],
    ['an autoscaler without a replica', { services: { gateway: { autoscaling: { minReplicas: 0 } } } }],
    ['a digest that is none', { image: { digest: 'latest' } }],
    ['a pull secret by its name alone', { image: { pullSecrets: ['registry'] } }],
    ['a policy that Kubernetes does not know', { image: { pullPolicy: 'Sometimes' } }],
    ['a type of Service that Kubernetes does not know', { service: { type: 'Public' } }],
    ['a setting that is not a text, which Helm would write as 1.048576e+06', { config: { A_LIMIT: 1_048_576 } }],
    ['a setting that all parts rely on', { config: { GATEWAY_PORT: '80' } }],
    ['a label that selectors rely on', { commonLabels: { 'app.kubernetes.io/name': 'all' } }],
    ['a label that Helm has given', { commonLabels: { 'helm.sh/chart': 'mine' } }],
    ['tolerations that are no list', { tolerations: { key: 'a' } }],
    ['an Ingress without a host', { ingress: { hosts: [] } }],
    ['a range that is none', { networkPolicies: { outside: { except: ['10.0.0.0'] } } }],
    ['DNS that would be open to everything', { networkPolicies: { dns: { to: [] } } }],
    ['a catalogue with a field that relay does not know', { models: { catalogue: { upstream: {} } } }],
  ];

  it.each(WRONG)('%s', (_name, values) => {
    expect(helm.tryTemplate([values])).toMatchObject({ code: 1, stderr: expect.stringContaining("don't meet the specifications of the schema") as string });
  });

  it('pools that can open more connections than Postgres has', () => {
    expect(helm.tryTemplate([{ services: { agent: { autoscaling: { maxReplicas: 5 } } } }])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('can open 288 connections to Postgres') as string,
    });
    expect(helm.tryTemplate([{ database: { maxConnections: 308 }, services: { agent: { autoscaling: { maxReplicas: 5 } } } }]).code).toBe(0);
    expect(helm.tryTemplate([{ database: { poolSize: 9 } }]).code).toBe(1);
    expect(helm.tryTemplate([{ config: { DATABASE_POOL_SIZE: '9' } }]).code).toBe(1);
  });
});

describe('settings that a Secret replaces', () => {
  const secrets = loadSecrets(openHome(mkdtempSync(path.join(tmpdir(), 'chart-'))), {});
  const servers = { adminUrl: 'postgres://a:b@db/x', natsUrl: 'nats://nats', redisUrl: 'redis://redis' };
  const { 'nats-services': _onlyWithTheNatsApi, ...written } = secretsOf(secrets, servers);
  const names = [...new Set(Object.values(written).flatMap((values) => Object.keys(values)))].sort();
  const config = Object.fromEntries([...names, 'LOG_LEVEL'].map((name) => [name, 'x']));

  it('are named by the notes of the installation, all and no other', () => {
    expect(helm.notes({ config })).toContain(`WARNING: ignored in config: ${names.join(', ')}. The Secrets`);
    expect(helm.notes({ config: { LOG_LEVEL: 'debug' } })).not.toContain('ignored in config');
  });

  it('are not named if the Secrets may be missing', () => {
    expect(helm.notes({ config, existingSecret: { optional: true } })).not.toContain('ignored in config');
  });
});

describe('the values of the chart', () => {
  const text = readFileSync(path.join(CHART, 'values.yaml'), 'utf8');
  const values = parse(text) as { services: Record<string, { resources: object; maxOldSpaceMi: number }> };

  it('mean the same to readers of YAML 1.1', () => {
    expect(parse(text, { version: '1.1' })).toEqual(values);
  });

  it.each(SERVICES)('give %s the size of the one table', (service) => {
    const { cpu, memoryMi, memoryLimitMi, heapMi } = sizeOf(service);
    expect(values.services[service]).toMatchObject({
      resources: { requests: { cpu, memory: `${memoryMi}Mi` }, limits: { memory: `${memoryLimitMi}Mi` } },
      maxOldSpaceMi: heapMi,
    });
  });

  it('are all explained in the README', () => {
    const readme = readFileSync(path.join(CHART, 'README.md'), 'utf8');
    for (const name of ['nameOverride', 'image.pullSecrets', 'models.catalogue', 'services.<name>.envFrom', 'networkPolicies.dns.port', 'database.maxConnections'])
      expect(readme).toMatch(new RegExp(`\\| \`${name.replaceAll('.', '\\.')}\` \\|.*\\| \\S`));
  });
});
