import { spend } from '../check-cost-limit';
import { isMultipleOf } from '../multiple-of';
import { type Keyword, refuse } from './check-node';

/** Cost for integers of up to 600 digits. */
const MULTIPLE = 500;

const limit =
  (keyword: string, most: number, fits: (value: number, most: number) => boolean): Keyword =>
  (value, problems) =>
    typeof value !== 'number' || fits(value, most) || refuse(problems, keyword, { limit: most });

const multipleOf =
  (step: number): Keyword =>
  (value, problems) => {
    if (typeof value !== 'number') return true;
    spend(MULTIPLE);
    return isMultipleOf(value, step) || refuse(problems, 'multipleOf', { multipleOf: step });
  };

export const NUMBER_KEYWORDS: Record<string, (given: number) => Keyword> = {
  multipleOf,
  maximum: (given) => limit('maximum', given, (value, most) => value <= most),
  exclusiveMaximum: (given) => limit('exclusiveMaximum', given, (value, most) => value < most),
  minimum: (given) => limit('minimum', given, (value, least) => value >= least),
  exclusiveMinimum: (given) => limit('exclusiveMinimum', given, (value, least) => value > least),
};
