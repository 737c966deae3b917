import { usePlatform } from '@switchyard/testing';
import { documents, textOf } from '../pages/documents';
import { examplesOf } from '../pages/page';
import { runPage } from '../pages/run-page';

const platform = usePlatform();

const pages = documents.map((name) => ({ name, text: textOf(name) })).filter(({ text }) => examplesOf(text).length > 0);

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
