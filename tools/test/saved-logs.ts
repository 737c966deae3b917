import { cpSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Platforms go with all they hold; after a red run their logs are what there is to look at. */
export function saveLogs(platforms: NodeJS.ProcessEnv[]): void {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'switchyard-logs-'));
  platforms.forEach(({ SWITCHYARD_TEST_STATE: state = '' }, index) => {
    cpSync(path.join(path.dirname(state), 'logs'), path.join(folder, `platform-${index + 1}`), { recursive: true });
  });
  console.log(`logs kept in ${folder}; tests.log there says when each test began`);
}
