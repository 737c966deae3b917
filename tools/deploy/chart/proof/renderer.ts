import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { projectRoot } from '../../../launcher/project-root';
import { must } from '../../../../proof/deploy-trial/must';
import type { Manifest } from '../../kubernetes/manifest';

export const RENDERER_PACKAGES = ['golang-go', 'golang-github-masterminds-sprig-dev', 'golang-k8s-sigs-yaml-dev', 'golang-github-xeipuuv-gojsonschema-dev'];
const CHART = join(projectRoot, 'deploy/helm/switchyard');

/** The template libraries of Helm, from Debian's packages. */
export class Renderer {
  private constructor(
    private readonly program: string,
    private readonly folder: string,
  ) {}

  /** Debian's libraries are sources in a GOPATH: no module is fetched. */
  static async build(folder: string): Promise<Renderer> {
    const program = join(folder, 'render');
    await must(['go', 'build', '-o', program, join(projectRoot, 'tools/deploy/chart/render/main.go')], {
      env: { ...process.env, GO111MODULE: 'off', GOFLAGS: '', GOPATH: '/usr/share/gocode', GOCACHE: join(folder, 'go-cache') },
    });
    return new Renderer(program, folder);
  }

  /** The objects of the chart with files of values, or values, over its own; later ones win. */
  async render(...values: (string | object)[]): Promise<Manifest[]> {
    const folder = mkdtempSync(join(this.folder, 'values-'));
    const files = values.map((each, index) => {
      if (typeof each === 'string') return each;
      const file = join(folder, `${index}.yaml`);
      writeFileSync(file, stringify(each, { version: '1.1' }));
      return file;
    });
    const content = JSON.parse(await must([this.program, CHART, 'switchyard', 'switchyard', ...files])) as Record<string, string>;
    const { 'NOTES.txt': _notes, ...templates } = content;
    return Object.entries(templates).flatMap(([name, text]) => manifestsIn(name, text));
  }
}

function manifestsIn(name: string, text: string): Manifest[] {
  const documents = parseAllDocuments(text, { version: '1.1' });
  const errors = documents.flatMap((document) => document.errors);
  if (errors.length > 0) throw new Error(`${name}: ${errors.join('; ')}`);
  return documents.map((document) => document.toJS() as Manifest | null).filter((each) => each !== null);
}
