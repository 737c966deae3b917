import { currentCheck, spend } from '../meter';

/** Of larger objects the names are listed once a check. Of smaller ones a list costs as little as a look into a map. */
const SMALL = 32;
/** To list the names of a large object takes this long for each of them. */
const LISTED = 15;

let listed = new WeakMap<object, string[]>();
let listedIn = 0;

/** The names of a value's fields. They are paid for before they are used, so a check that ends at the first one pays too. */
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

/** The same of an object in a schema, which never changes. */
export function schemaFieldNames(value: object): string[] {
  const cached = ofSchemas.get(value);
  if (cached) return cached;
  const names = Object.keys(value);
  spend(LISTED * names.length);
  ofSchemas.set(value, names);
  return names;
}
