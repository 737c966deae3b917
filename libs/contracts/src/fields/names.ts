import { type Spec, f } from './spec';

const VISIBLE = '[^\\s\\p{Cc}\\p{Cf}]';
/** Joiners stay: emoji and some scripts are written with them. */
const ON_ONE_LINE = '[^\\p{Cc}\\p{Zl}\\p{Zp}\\u202A-\\u202E\\u2066-\\u2069]';

/** A name that people read in lists: nothing in it changes how the text around it looks. */
export const nameText = (): Spec<string> =>
  f.text({
    min: 1,
    max: 200,
    pattern: `^(?=.*${VISIBLE})${ON_ONE_LINE}*$`,
    allows: 'must not be blank, and must not hold line breaks, control characters or bidirectional overrides',
  });

const ADDRESS_PART = '[^\\s@\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}]+';

/** An e-mail address without invisible characters: two addresses that look the same would be two people. */
export const emailText = (): Spec<string> =>
  f.text({
    min: 3,
    max: 254,
    pattern: `^\\s*${ADDRESS_PART}@${ADDRESS_PART}\\s*$`,
    allows: 'must be an e-mail address without invisible characters, such as ada@example.com',
  });
