import { invalid } from '@switchyard/kernel';
import type { Layout } from './table-layout';

/** The fields that an answer shall have; null is all of them. */
export function readFields(layout: Layout, names: readonly string[] | undefined): ReadonlySet<string> | null {
  if (names === undefined) return null;
  names.forEach((name, index) => {
    if (!layout.byName.has(name)) {
      throw invalid(`fields[${index}]`, `there is no field called ${name}; names are exact, also in their case`);
    }
  });
  return new Set(names);
}
