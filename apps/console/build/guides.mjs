import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { indexOf } from './guide-index.mjs';
import { outlinesOf } from './guide-outlines.mjs';

/** Pages for contributors, and the index of the repository's pages. */
const notForUsers = /^(?:README$|contribute\/)/u;
const texts = 'virtual:guide-texts';
const outlines = 'virtual:guide-outlines';
const index = 'virtual:guide-index';
const diagrams = 'virtual:guide-diagrams';
const ids = [texts, outlines, index, diagrams];

/**
 * The pages below docs/, named by their paths there (`guides/agents`): their texts and diagrams, each fetched when it is
 * opened, their outlines, and the index of docs/README.md.
 */
export const guides = (folder) => ({
  name: 'guides',
  resolveId: (id) => (ids.includes(id) ? `\0${id}` : undefined),
  async load(id) {
    if (!id.startsWith('\0') || !ids.includes(id.slice(1))) return undefined;
    const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.md')).sort();
    const names = files.map((file) => file.slice(0, -'.md'.length)).filter((name) => !notForUsers.test(name));
    const fileOf = (name) => path.join(folder, `${name}.md`);
    const diagramOf = (name) => path.join(folder, 'pictures/diagrams', `${path.basename(name)}.svg`);
    const imports = (all, pathOf) =>
      `export default { ${all.map((name) => `${JSON.stringify(name)}: () => import(${JSON.stringify(`${pathOf(name)}?raw`)})`).join(', ')} };`;
    if (id === `\0${texts}`) return imports(names, fileOf);
    if (id === `\0${diagrams}`)
      return imports(
        names.filter((name) => existsSync(diagramOf(name))),
        diagramOf,
      );
    if (id === `\0${index}`) {
      this.addWatchFile(fileOf('README'));
      return `export default ${JSON.stringify(indexOf(await readFile(fileOf('README'), 'utf8'), names))};`;
    }
    for (const name of names) this.addWatchFile(fileOf(name));
    const written = names.map(async (guide) => ({ guide, text: await readFile(fileOf(guide), 'utf8') }));
    return `export default ${JSON.stringify(outlinesOf(await Promise.all(written)))};`;
  },
});
