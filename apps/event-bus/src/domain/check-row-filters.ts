import type { DatasetField, ManifestEvent } from '@switchyard/contracts';
import { type FilterFieldType, parseFilter } from '@switchyard/kernel';

/** Field types of a dataset, by name. */
export type FieldTypes = Record<string, FilterFieldType>;

export const fieldTypesOf = (fields: readonly DatasetField[]): FieldTypes => ({
  id: 'uuid',
  createdAt: 'datetime',
  updatedAt: 'datetime',
  ...Object.fromEntries(fields.map(({ name, type }) => [name, type])),
});

/** Datasets whose rows a manifest filters: their fields must be known to check it. */
export const filteredDatasets = (events: readonly ManifestEvent[]): string[] => [
  ...new Set(events.flatMap(({ emitOn }) => (emitOn?.filter ? [emitOn.dataset] : []))),
];

/** Refuses a filter that its dataset would refuse in a query. */
export function checkRowFilters(
  events: readonly ManifestEvent[],
  typesByDataset: ReadonlyMap<string, FieldTypes>,
): void {
  events.forEach(({ emitOn }, index) => {
    const types = emitOn && typesByDataset.get(emitOn.dataset);
    if (types) parseFilter(emitOn.filter, new Map(Object.entries(types)), `manifest.events[${index}].emitOn.filter`);
  });
}
