import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICES } from '@switchyard/contracts';
import { natsServerConfig } from '@switchyard/messaging';
import { parse } from 'yaml';
import { secretsComponent } from '../secrets-component';

interface Values {
  config: { merge: Record<string, unknown> };
  container: { patch: { value: { mountPath: string } }[] };
  reloader?: unknown;
  podTemplate: { patch: { value: { secret: { secretName: string } } }[] };
}

const page = readFileSync(join(__dirname, '../../../deploy/k8s/README.md'), 'utf8');
const [, command = '', block = ''] =
  /\*\*NATS with its own chart\*\*[^`]*`nats\/nats`[\s\S]*?```sh\n([\s\S]*?)```\s*```yaml\n([\s\S]*?)```/.exec(page) ?? [];
const values = parse(block) as Values;

describe('the values that we give for the chart of NATS', () => {
  it('set what our own configuration of a server sets', () => {
    const users = Object.fromEntries(SERVICES.map((name) => [name, 'U']));
    const own = natsServerConfig({ host: 'h', port: 1, storeDir: 's', users: users as never });
    const settings = [...own.matchAll(/^(max_payload|ping_\w+): "?(\w+)"?$/gm)].map(([, name, value]) => [name, value]);
    expect(settings).toHaveLength(3);
    for (const [name = '', value] of settings) expect([name, String(values.config.merge[name])]).toEqual([name, value]);
  });

  it('mount nothing twice: what is mounted under /etc/ the reloader of the chart is given as well', () => {
    expect(values.container.patch.map(({ value }) => value.mountPath)).toEqual(['/etc/nats-config/switchyard']);
    expect(values.reloader).toBeUndefined();
  });

  it('name a Secret that is there under this name, which one that Kustomize generates is not', () => {
    const generated = secretsComponent(SERVICES).secretGenerator.map(({ name }) => name);
    for (const { value } of values.podTemplate.patch) {
      expect(generated).not.toContain(value.secret.secretName);
      expect(command).toContain(`create secret generic ${value.secret.secretName} --from-file=`);
    }
  });
});
