import { AppError, FillMeter, fillSecretReferences } from '@switchyard/kernel';

/** Of all headers of an MCP server, names and values, with the values of their secrets. */
const HEADERS_MAX_BYTES = 32 * 1024;

const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

const tooLarge = (): AppError =>
  new AppError(
    'PAYLOAD_TOO_LARGE',
    `The headers of a server can have at most ${HEADERS_MAX_BYTES} bytes with the values of their secrets.`,
  );

/** The headers with the values of their secrets in them. They are measured before anything is filled in. */
export function headersWithSecrets(
  headers: Readonly<Record<string, string>>,
  valueOf: (name: string) => string,
): Record<string, string> {
  const meter = new FillMeter({ bytes: HEADERS_MAX_BYTES }, tooLarge);
  const filled = Object.entries(headers).map(([header, value]) => {
    meter.add(header);
    const text = fillSecretReferences(value, valueOf, meter);
    if (!HEADER_VALUE.test(text))
      throw new AppError('VALIDATION_ERROR', `The header ${header} has characters that a header cannot carry.`);
    return [header, text] as const;
  });
  return Object.fromEntries(filled);
}
