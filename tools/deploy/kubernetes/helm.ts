import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stringify } from 'yaml';
import { projectRoot } from '../../launcher/project-root';
import { type ToolResult, type ToolsOf, kubernetesTool, runTool } from './binaries';
import { type Manifest, NAMESPACE, manifestsIn } from './manifest';

export const CHART = path.join(projectRoot, 'deploy/helm/switchyard');
/** A cluster with the Prometheus operator. */
export const WITH_PROMETHEUS = ['--api-versions', 'monitoring.coreos.com/v1'];

const SKIP_TESTS = '--skip-tests';

export type Values = string | object;

/** Output by version of Helm, chart and arguments. Rendering takes half a second of processor time, and tests repeat it. */
const outputs = new Map<string, ToolResult>();

/** A real Helm. Values are files or objects; later ones win over earlier ones and over those of the chart. */
export class Helm {
  private readonly home = mkdtempSync(path.join(tmpdir(), 'helm-'));
  private files = 0;

  constructor(
    private readonly version: ToolsOf = 'v34',
    private readonly chart = CHART,
  ) {}

  lint(...values: Values[]): ToolResult {
    return this.run(['lint', '--strict', this.chart, ...this.flags(values)]);
  }

  /** The output of Helm, also if it refuses the values. */
  tryTemplate(values: readonly Values[], args: readonly string[] = [...WITH_PROMETHEUS, SKIP_TESTS]): ToolResult {
    const key = JSON.stringify([this.version, this.chart, args, values]);
    const earlier = outputs.get(key);
    if (earlier) return earlier;
    const output = this.run(['template', 'switchyard', this.chart, '--namespace', NAMESPACE, ...args, ...this.flags(values)]);
    outputs.set(key, output);
    return output;
  }

  /** The notes that an installation shows. */
  notes(...values: Values[]): string {
    const args = ['install', 'switchyard', this.chart, '--namespace', NAMESPACE, '--dry-run=client'];
    const { code, stdout, stderr } = this.run([...args, ...this.flags(values)]);
    if (code !== 0) throw new Error(`helm install: ${stderr}`);
    return stdout.slice(stdout.indexOf('\nNOTES:'));
  }

  /** The objects of a release, in a cluster that knows these versions of APIs. */
  template(values: readonly Values[], apiVersions = WITH_PROMETHEUS): Manifest[] {
    return this.objects(values, [...apiVersions, SKIP_TESTS]);
  }

  /** The objects that `helm test` makes. */
  testObjects(values: readonly Values[]): Manifest[] {
    return this.objects(values, ['--show-only', 'templates/tests/turn.yaml']);
  }

  private objects(values: readonly Values[], args: readonly string[]): Manifest[] {
    const { code, stdout, stderr } = this.tryTemplate(values, args);
    if (code !== 0) throw new Error(`helm template: ${stderr}`);
    return manifestsIn(stdout);
  }

  private run(args: readonly string[]): ToolResult {
    return runTool(kubernetesTool('helm', this.version), args, this.home);
  }

  private flags(values: readonly Values[]): string[] {
    return values.flatMap((each) => {
      if (typeof each === 'string') return ['--values', each];
      const file = path.join(this.home, `${(this.files += 1)}.yaml`);
      writeFileSync(file, stringify(each, { version: '1.1' }));
      return ['--values', file];
    });
  }
}
