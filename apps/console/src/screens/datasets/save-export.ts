import type { Dataset, SwitchyardClient } from '@switchyard/client';

/** All records as lines of JSON, in a file that the browser keeps. */
export async function saveExport(client: SwitchyardClient, dataset: Dataset): Promise<void> {
  const lines = await client.datasets.export(dataset.id);
  const file = await new Response(lines).blob();
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = `${dataset.name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')}.ndjson`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
