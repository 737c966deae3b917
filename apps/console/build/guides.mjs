import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { outlinesOf } from './guide-outlines.mjs';

/** Pages for contributors, and the index of the repository's pages. */
const notForUsers = /^(?:README$|contribute\/|evidence\/faults$)/u;
const texts = 'virtual:guide-texts';
const outlines = 'virtual:guide-outlines';

/**
 * The pages below docs/, named by their paths there (`guides/agents`): their texts, each fetched when it is opened, and
 * their outlines.
 */
export const guides = (folder) => ({
  name: 'guides',
  resolveId: (id) => (id === texts || id === outlines ? `\0${id}` : undefined),
  async load(id) {
    if (id !== `\0${texts}` && id !== `\0${outlines}`) return undefined;
    const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.md')).sort();
    const names = files.map((file) => file.slice(0, -'.md'.length)).filter((name) => !notForUsers.test(name));
    const fileOf = (name) => path.join(folder, `${name}.md`);
    if (id === `\0${texts}`) {
      const read = (name) => `${JSON.stringify(name)}: () => import(${JSON.stringify(`${fileOf(name)}?raw`)})`;
      return `export default { ${names.map(read).join(', ')} };`;
    }
    for (const name of names) this.addWatchFile(fileOf(name));
    const written = names.map(async (guide) => ({ guide, text: await readFile(fileOf(guide), 'utf8') }));
    return `export default ${JSON.stringify(outlinesOf(await Promise.all(written)))};`;
  },
});
