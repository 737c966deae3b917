import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { CONFIGS, allVariables } from '../docs/configuration';
import { openHome } from '../launcher/home/home';
import { loadSecrets } from '../launcher/home/secrets';
import { SERVICES } from '../launcher/service-names';
import { variablesOf } from '@switchyard/service';
import { plainEnv, secretEnv } from './container-env';
import { allManifests } from './kubernetes';
import { render } from './write';

const root = join(__dirname, '../..');
const secrets = loadSecrets(openHome(mkdtempSync(join(tmpdir(), 'deploy-'))), {});
const databaseUrls = Object.fromEntries(SERVICES.map((name) => [name, `postgres://${name}@db/x`]));
const plain = plainEnv(secrets, {
  natsUrl: 'nats://nats',
  redisUrl: 'redis://redis',
  simulatorUrl: 'http://simulator/v1',
});

describe.each(SERVICES)('the environment of %s in a deployment', (service) => {
  const given = { ...plain, ...secretEnv(service, secrets, { databaseUrls }) };
  const variables = variablesOf(CONFIGS[service] ?? Object);

  test('holds all that the service cannot do without', () => {
    const needed = variables
      .filter(({ default: standard, optional }) => standard === undefined && !optional)
      .map(({ name }) => name);
    expect(needed.filter((name) => given[name] === undefined)).toEqual([]);
  });

  test('holds nothing that nobody reads', () => {
    const read = new Set(allVariables().map(({ name }) => name));
    expect(Object.keys(given).filter((name) => !read.has(name))).toEqual([]);
  });

  test('tells no service the secret of another', () => {
    const others = SERVICES.filter((name) => name !== service).flatMap((name) => [
      secrets.services[name].privateKey,
      secrets.services[name].nats.seed,
    ]);
    const text = JSON.stringify(given);
    expect(others.filter((secret) => text.includes(secret))).toEqual([]);
  });
});

test('docker-compose.yml runs every service', () => {
  const compose = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
    services: Record<string, { command: string[] }>;
  };
  for (const service of SERVICES)
    expect(compose.services[service]?.command).toEqual(['dist/tools/deploy/run.js', service]);
});

describe('the Kubernetes manifests', () => {
  test.each(Object.keys(allManifests()))('%s.yaml is the one that the code makes (npm run docs writes it)', (name) => {
    const text = readFileSync(join(root, `deploy/k8s/base/${name}.yaml`), 'utf8');
    expect(text).toBe(render(allManifests()[name] ?? []));
    for (const document of parseAllDocuments(text)) expect(document.errors).toEqual([]);
  });

  test('run every container without privileges, with probes and bounds', () => {
    for (const service of SERVICES) {
      const [deployment] = allManifests()[service] as unknown as [
        {
          spec: {
            template: { spec: { automountServiceAccountToken: boolean; containers: Record<string, unknown>[] } };
          };
        },
      ];
      const { containers, automountServiceAccountToken } = deployment.spec.template.spec;
      expect(automountServiceAccountToken).toBe(false);
      for (const container of containers) {
        expect(container).toMatchObject({
          securityContext: {
            runAsNonRoot: true,
            readOnlyRootFilesystem: true,
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
          },
          resources: { requests: expect.any(Object) as object, limits: expect.any(Object) as object },
          readinessProbe: expect.any(Object) as object,
          livenessProbe: expect.any(Object) as object,
        });
      }
    }
  });
});
