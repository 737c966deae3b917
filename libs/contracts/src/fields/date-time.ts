import { fullFormats } from 'ajv-formats/dist/formats';

/** The format that we write, except for 29 February. */
const OUR_TIME =
  /^(?!0000)\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/;

const { validate } = fullFormats['date-time'] as { validate: (text: string) => boolean };

/**
 * Postgres accepts no offset of sixteen hours or more and no year 0; `Date` no 61st second and no offset without
 * minutes.
 */
const isReadable = (text: string): boolean =>
  !text.startsWith('0000') && Number.isFinite(Date.parse(text)) && !/[+-](?:1[6-9]|2\d):?\d\d$/.test(text);

/**
 * date-time as Postgres and `Date` can both read it. Our own format is matched by one expression: replies contain
 * thousands of times.
 */
export const isDateTime = (text: string): boolean => OUR_TIME.test(text) || (validate(text) && isReadable(text));
