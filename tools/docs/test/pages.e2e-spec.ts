import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { usePlatform } from '@switchyard/testing';
import { projectRoot } from '../../launcher/project-root';
import { examplesOf } from '../pages/page';
import { runPage } from '../pages/run-page';

const platform = usePlatform();

const pages = ['README.md', ...readdirSync(path.join(projectRoot, 'docs')).map((name) => `docs/${name}`)]
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, text: readFileSync(path.join(projectRoot, name), 'utf8') }))
  .filter(({ text }) => examplesOf(text).length > 0);

/** A reader's environment after `npm start`: address, login, Space, and a key with all scopes. */
async function reader(): Promise<NodeJS.ProcessEnv> {
  const space = await platform.newSpace();
  const key = await space.key({ scopes: ['*', 'approvals:answer'] });
  const { email, password } = space.owner.identity;
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    HOST: platform.url,
    EMAIL: email,
    PASSWORD: password,
    SPACE: space.id,
    TOKEN: space.owner.credential,
    KEY: key.credential,
    OPERATOR: (await platform.owner()).credential,
  };
}

test.each(pages)('the examples of $name do what the page says', async ({ text }) => {
  await expect(runPage(text, await reader())).resolves.toBeUndefined();
});
