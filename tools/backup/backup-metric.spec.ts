import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeBackupMetric } from './backup-metric';
import { parseBackupOptions } from './backup-options';

test('a backup writes its time where Prometheus collects it, in one step', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'backup-metric-'));
  try {
    const file = path.join(folder, 'switchyard.prom');
    writeBackupMetric(file, new Date('2026-11-28T00:00:00Z'));
    expect(readFileSync(file, 'utf8')).toContain('\nswitchyard_backup_last_success_timestamp_seconds 1795824000\n');
    expect(readdirSync(folder)).toEqual(['switchyard.prom']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the file is named by an option', () => {
  expect(parseBackupOptions(['save', '--to', 'backup', '--metric', '/m/s.prom'])).toMatchObject({
    metric: '/m/s.prom',
  });
  expect(parseBackupOptions(['save', '--to', 'backup']).metric).toBeUndefined();
});
