import type { TextFormat } from '@switchyard/kernel';
import addFormats from 'ajv-formats';

/** Longest text with a format, in UTF-8 bytes. */
export const FORMAT_BYTES = 2048;

type Check = (text: string) => boolean;

/** The library's check, only if it takes linear time for any text. */
function fromLibrary(name: Parameters<typeof addFormats.get>[0]): Check {
  const format = addFormats.get(name);
  if (format instanceof RegExp) return (text) => format.test(text);
  if (typeof format === 'object' && typeof format.validate === 'function') {
    const { validate } = format;
    return (text) => validate(text as never) as boolean;
  }
  throw new Error(`There is no check of the format ${name}.`);
}

const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;
const NO_URI = /[\s\u0000-\u001f"<>\\^`{|}]/;

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const labels = text.slice(at + 1).split('.');
  return (
    at > 0 && LOCAL_PART.test(text.slice(0, at)) && labels.length > 1 && labels.every((label) => LABEL.test(label))
  );
}

/** The supported formats. The library's other checks may backtrack, or are too lenient. */
export const FORMATS: Readonly<Record<TextFormat, Check>> = {
  date: fromLibrary('date'),
  time: fromLibrary('time'),
  'date-time': fromLibrary('date-time'),
  duration: fromLibrary('duration'),
  email: isEmail,
  hostname: fromLibrary('hostname'),
  ipv4: fromLibrary('ipv4'),
  ipv6: fromLibrary('ipv6'),
  uuid: fromLibrary('uuid'),
  // `URL` ignores blanks around and inside an address.
  uri: (text) => !NO_URI.test(text) && URL.canParse(text),
};
