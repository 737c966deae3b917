import { type Spec, f } from './field-schema';

const ADDRESS_PART = '[^\\s@\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}]+';

/** No invisible characters, so that addresses that look the same are the same. */
export const emailText = (): Spec<string> =>
  f.text({
    min: 3,
    max: 254,
    pattern: `^\\s*${ADDRESS_PART}@${ADDRESS_PART}\\s*$`,
    allows: 'must be an e-mail address without invisible characters, such as ada@example.com',
  });
