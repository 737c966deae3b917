import { copyFileSync, existsSync } from 'node:fs';
import { openHome } from '../launcher/home/home';
import { loadSecrets, saveSecrets } from '../launcher/home/secrets';
import { StopSentence } from '../launcher/stop-sentence';
import { STEPS, type RotationStep, changeSecrets } from './change-secrets';
import { changeable } from './platform-secrets';

const isStep = (text: string | undefined): text is RotationStep => STEPS.includes(text as RotationStep);

function usage(): string {
  const names = changeable().map(
    ({ name, rotation }) => `  ${name}  ${rotation === 'two values' ? 'add, use, finish' : 'replace'}`,
  );
  return ['npm run secrets -- <step> <secret> [folder of secrets.json]', '', ...names].join('\n');
}

/**
 * `npm run secrets -- <step> <secret> [folder]`: changes `secrets.json`. Nothing that runs sees it before the next
 * start; docs/operate/secrets.md has the steps between.
 */
function main([step, name, folder = process.env['SWITCHYARD_HOME'] ?? '.switchyard']: string[]): void {
  if (!isStep(step) || name === undefined) throw new StopSentence(usage());
  if (!existsSync(`${folder}/secrets.json`)) throw new StopSentence(`${folder} has no secrets.json.`);
  const home = openHome(folder);
  const file = home.file('secrets.json');
  const changed = changeSecrets(loadSecrets(home, process.env), step, name);
  copyFileSync(file, `${file}.previous`);
  saveSecrets(home, changed);
  process.stdout.write(
    `${file} is changed; ${file}.previous is as before. Now let every process take it (docs/operate/secrets.md).\n`,
  );
}

try {
  main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
