import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client, TestPlatform } from '@switchyard/testing';
import { until } from '@switchyard/testing';
import { parse } from 'yaml';

interface Catalogue {
  upstreams: Record<string, object>;
  models: object[];
}

const builtIn = (): Catalogue =>
  parse(readFileSync(path.join(__dirname, '../../src/catalogue/built-in.yaml'), 'utf8')) as Catalogue;

/** In one go: the relay looks at any moment, and is not to find the half of it. */
export function writeCatalogue(platform: TestPlatform, text: string): void {
  const file = path.join(platform.state.home, 'models.yaml');
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

/** Adds a catalogue to the built-in one (others use that at the same time), and waits until it is in force. */
export async function useCatalogue(
  platform: TestPlatform,
  client: Client,
  catalogue: Catalogue,
  existingModel: string,
): Promise<void> {
  const base = builtIn();
  const both = {
    upstreams: { ...base.upstreams, ...catalogue.upstreams },
    models: [...base.models, ...catalogue.models],
  };
  writeCatalogue(platform, JSON.stringify(both));
  await until(async () => (await client.raw('GET', `/models/v1/models/${existingModel}`)).status === 200);
}

/** Back to the one that is built in. */
export async function useBuiltIn(platform: TestPlatform, client: Client, removedModel: string): Promise<void> {
  rmSync(path.join(platform.state.home, 'models.yaml'), { force: true });
  await until(async () => (await client.raw('GET', `/models/v1/models/${removedModel}`)).status === 404);
}
