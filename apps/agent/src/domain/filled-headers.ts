import { AppError, fillSecretReferences } from '@switchyard/kernel';

/** Of all headers of an MCP server, names and values, with the values of their secrets. */
const HEADERS_MAX_BYTES = 32 * 1024;

const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The headers with the values of their secrets in them. They are measured before anything is filled in. */
export function filledHeaders(
  headers: Readonly<Record<string, string>>,
  valueOf: (name: string) => string,
): Record<string, string> {
  let bytes = 0;
  for (const [header, value] of Object.entries(headers)) {
    const rest = fillSecretReferences(value, (name) => {
      bytes += Buffer.byteLength(valueOf(name));
      return '';
    });
    bytes += Buffer.byteLength(header) + Buffer.byteLength(rest);
  }
  if (bytes > HEADERS_MAX_BYTES)
    throw new AppError(
      'PAYLOAD_TOO_LARGE',
      `The headers of a server can have at most ${HEADERS_MAX_BYTES} bytes with the values of their secrets; these have ${bytes}.`,
    );
  const filled = Object.entries(headers).map(([header, value]) => {
    const text = fillSecretReferences(value, valueOf);
    if (!HEADER_VALUE.test(text))
      throw new AppError('VALIDATION_ERROR', `The header ${header} has characters that a header cannot carry.`);
    return [header, text] as const;
  });
  return Object.fromEntries(filled);
}
