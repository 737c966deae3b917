import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { IMAGE, NOW, type Trial } from './setting-up';
import { step } from './step';

const MIGRATIONS = 'dist/apps/dataset/src/db/migrations';

/** The image of a version after this one: it has one more migration. */
const DOCKERFILE = `FROM ${IMAGE}-now
COPY --from=${IMAGE}-now /app/${MIGRATIONS}/index.js ${MIGRATIONS}/shipped.js
COPY index.js ${MIGRATIONS}/index.js
`;

const COLUMN = 'alter table datasets add column if not exists trial_note text';
const WRONG = 'alter table datasets add column trial_note2 no_such_type';

const withMigration = (...statements: string[]): string => `
const { migrations } = require('./shipped.js');
class DatasetTrial1900000000000 {
  async up(runner) { for (const each of ${JSON.stringify(statements)}) await runner.query(each); }
  async down() {}
}
exports.migrations = [...migrations, DatasetTrial1900000000000];
`;

/** A migration fails: the old version serves on, also after a crash. With a fixed one the upgrade goes through. */
export async function failingMigration({ folder, box, platform }: Trial): Promise<void> {
  await box.run('docker', 'tag', IMAGE, `${IMAGE}-now`);
  const build = async (...statements: string[]): Promise<void> => {
    mkdirSync(path.join(folder, 'next'), { recursive: true });
    writeFileSync(path.join(folder, 'next/Dockerfile'), DOCKERFILE);
    writeFileSync(path.join(folder, 'next/index.js'), withMigration(...statements));
    await box.run('docker', 'build', '--tag', IMAGE, '/share/next');
  };
  const migrate = (): Promise<string> => platform.compose(NOW, 'run', '--rm', '-T', 'setup');
  await step('a version whose migration fails', () => build(COLUMN, WRONG));
  const before = await platform.containers(NOW);
  const sent = await step('its migration fails, under load', () =>
    platform.underLoad(NOW, async () => {
      const text = await migrate().then(
        (out) => `it did not fail: ${out}`,
        (error: unknown) => String(error),
      );
      if (!text.includes('no_such_type')) throw new Error(`the migration does not say why it failed: ${text}`);
    }),
  );
  if (Object.keys(sent).join() !== '200') throw new Error(`answers meanwhile: ${JSON.stringify(sent)}`);
  await step('the version before serves on, also after a crash', async () => {
    const after = await platform.containers(NOW);
    if (after !== before) throw new Error(`containers changed:\n${before}\n${after}`);
    await platform.crash('dataset');
    await platform.customer(NOW, 'check');
  });
  await step('fixed, and the upgrade goes through', async () => {
    await build(COLUMN);
    const text = await migrate();
    if (!text.includes('1 migrations ran')) throw new Error(text);
    await platform.up(NOW);
    await platform.customer(NOW, 'check');
  });
  await step('back to the version before', async () => {
    await box.run('docker', 'tag', `${IMAGE}-now`, IMAGE);
    await platform.up(NOW);
    await platform.customer(NOW, 'check');
  });
}
