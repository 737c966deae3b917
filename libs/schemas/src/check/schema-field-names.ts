import { currentCheck, spend } from '../check-cost-limit';

/** The names of larger objects are listed once for each check. For smaller ones a new list is as fast as a look-up. */
const SMALL_OBJECT = 32;
/** Cost of listing one name of a large object. */
const COST_PER_NAME = 15;

let cachedNames = new WeakMap<object, string[]>();
let cachedInCheck = 0;

/** Field names of a value. Spends budget first, so a check that ends early pays too. */
export function fieldNames(value: object): string[] {
  if (cachedInCheck === currentCheck()) {
    const cached = cachedNames.get(value);
    if (cached) return cached;
  }
  const names = Object.keys(value);
  if (names.length <= SMALL_OBJECT) {
    spend(names.length);
    return names;
  }
  spend(COST_PER_NAME * names.length);
  if (cachedInCheck !== currentCheck()) {
    cachedNames = new WeakMap();
    cachedInCheck = currentCheck();
  }
  cachedNames.set(value, names);
  return names;
}

const schemaNames = new WeakMap<object, string[]>();

/** As `fieldNames`, for an object in a schema, which never changes. */
export function schemaFieldNames(value: object): string[] {
  const cached = schemaNames.get(value);
  if (cached) return cached;
  const names = Object.keys(value);
  spend(COST_PER_NAME * names.length);
  schemaNames.set(value, names);
  return names;
}
