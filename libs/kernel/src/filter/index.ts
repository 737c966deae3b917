export { compareText } from './compare-text';
export { compareDecimals } from './decimal';
export { FIELD_TYPES, type FilterFieldType, readTyped, type Typed } from './field-type';
export {
  EVERYTHING,
  type Filter,
  FILTER_OPERATORS,
  type FilterOperator,
  type FilterTest,
  isEverything,
} from './filter';
export { isDay } from './instant';
export { jsonEqual } from './json-equal';
export { matchesFilter } from './matches-filter';
export { FILTER_LIMITS, parseFilter } from './parse-filter';
