import { parseArgs } from 'node:util';
import { StopSentence } from '../launcher/stop-sentence';

export interface BackupOptions {
  action: 'save' | 'restore';
  /** Of the platform: which one to save, or the new one to make. */
  home: string;
  /** With switchyard.dump and secrets.json. */
  folder: string;
  /** A file for the text collector of Prometheus: the time of this backup. */
  metric?: string;
}

export const backupHelp = `node tools/backup.mjs save    --home .switchyard     --to <folder> [--metric <file.prom>]
node tools/backup.mjs restore --home <a new home>    --from <folder>

save may run while the platform runs: it is one snapshot. Keep secrets.json of the folder apart from the dump.
restore makes a home with the database and the secrets; then SWITCHYARD_HOME=<the new home> npm start.
`;

export function parseBackupOptions(args: string[]): BackupOptions {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { home: { type: 'string' }, to: { type: 'string' }, from: { type: 'string' }, metric: { type: 'string' } },
  });
  const [action] = positionals;
  const folder = action === 'save' ? values.to : values.from;
  if ((action !== 'save' && action !== 'restore') || folder === undefined) throw new StopSentence(backupHelp);
  return { action, folder, home: values.home ?? '.switchyard', metric: values.metric };
}
