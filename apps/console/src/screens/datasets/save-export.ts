import type { Dataset, SwitchyardClient } from '@switchyard/client';
import { type Asked, foundPage } from './record-search';

const PAGE = 1000;

/** All records as lines of JSON, in a file that the browser keeps. */
export async function saveExport(client: SwitchyardClient, dataset: Dataset): Promise<void> {
  const lines = await client.datasets.export(dataset.id);
  save(await new Response(lines).blob(), dataset.name);
}

/** Those that are asked for alone, in their order: lines that an import takes as it takes those of an export. */
export async function saveFound(client: SwitchyardClient, dataset: Dataset, request: Asked): Promise<void> {
  const parts: string[] = [];
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await foundPage(client, dataset.id, request, { cursor, limit: PAGE });
    parts.push(...items.map(({ record }) => `${JSON.stringify(record)}\n`));
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  save(new Blob(parts, { type: 'application/x-ndjson' }), `${dataset.name} found`);
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')}.ndjson`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
