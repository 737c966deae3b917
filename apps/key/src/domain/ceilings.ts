import { CEILING_NAMES, type ChangeCeilings } from '@switchyard/contracts';

/** Given ones are set, null takes one back to the default, the others stay. */
export function mergeCeilings(before: ChangeCeilings, change: ChangeCeilings): ChangeCeilings {
  const after: ChangeCeilings = {};
  for (const name of CEILING_NAMES) {
    const value = change[name] === undefined ? before[name] : change[name];
    if (value !== undefined && value !== null) after[name] = value;
  }
  return after;
}
