import { currentCheck, spend } from '../meter';

/** The names of larger objects are listed once for each check. For smaller ones a new list is as fast as a look-up. */
const SMALL = 32;
/** Cost of listing one name of a large object. */
const LISTED = 15;

let listed = new WeakMap<object, string[]>();
let listedIn = 0;

/** Field names of a value. Spends budget first, so a check that ends early pays too. */
export function fieldNames(value: object): string[] {
  if (listedIn === currentCheck()) {
    const cached = listed.get(value);
    if (cached) return cached;
  }
  const names = Object.keys(value);
  if (names.length <= SMALL) {
    spend(names.length);
    return names;
  }
  spend(LISTED * names.length);
  if (listedIn !== currentCheck()) {
    listed = new WeakMap();
    listedIn = currentCheck();
  }
  listed.set(value, names);
  return names;
}

const ofSchemas = new WeakMap<object, string[]>();

/** As `fieldNames`, for an object in a schema, which never changes. */
export function schemaFieldNames(value: object): string[] {
  const cached = ofSchemas.get(value);
  if (cached) return cached;
  const names = Object.keys(value);
  spend(LISTED * names.length);
  ofSchemas.set(value, names);
  return names;
}
