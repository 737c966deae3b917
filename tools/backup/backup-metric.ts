import { renameSync, writeFileSync } from 'node:fs';

/** The time of the last backup, for the text file collector of Prometheus. It replaces the file in one step. */
export function writeBackupMetric(file: string, time: Date): void {
  const name = 'switchyard_backup_last_success_timestamp_seconds';
  const text = `# HELP ${name} When the last backup ended.\n# TYPE ${name} gauge\n${name} ${Math.floor(time.getTime() / 1000)}\n`;
  writeFileSync(`${file}.next`, text);
  renameSync(`${file}.next`, file);
}
