import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client, TestPlatform } from '@switchyard/testing';
import { until } from '@switchyard/testing';

/** Puts a catalogue in force for the running relay, and waits until it is. */
export async function useCatalogue(platform: TestPlatform, client: Client, catalogue: object, knownModel: string): Promise<void> {
  const file = path.join(platform.state.home, 'models.yaml');
  writeFileSync(`${file}.new`, JSON.stringify(catalogue));
  renameSync(`${file}.new`, file);
  await until(async () => (await client.raw('GET', `/models/v1/models/${knownModel}`)).status === 200);
}

/** Back to the one that is built in. */
export async function useBuiltIn(platform: TestPlatform, client: Client, goneModel: string): Promise<void> {
  rmSync(path.join(platform.state.home, 'models.yaml'), { force: true });
  await until(async () => (await client.raw('GET', `/models/v1/models/${goneModel}`)).status === 404);
}
