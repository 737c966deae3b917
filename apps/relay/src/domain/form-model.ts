const BOUNDARY = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i;
const NAME = /^content-disposition:[^\r\n]*;\s*name="model"/im;
const MAX_PARTS = 64;
const MAX_HEAD = 1024;
const MAX_MODEL = 200;
const BLANK_LINE = '\r\n\r\n';

/** The `model` of a multipart form, whatever stands before it; null where it is not plain to see. */
export function modelInForm(contentType: string, body: Buffer): string | null {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return null;
  const line = Buffer.from(`\r\n--${boundary}`, 'latin1');
  const opening = line.subarray(2);
  // The first part needs no line break before it.
  const first = body.subarray(0, opening.length).equals(opening) ? -2 : body.indexOf(line);
  if (first === -1) return null;
  let at = first + line.length;
  for (let part = 0; part < MAX_PARTS; part += 1) {
    const head = body.toString('latin1', at, at + MAX_HEAD);
    const headEnd = head.indexOf(BLANK_LINE);
    if (headEnd < 0) return null;
    const start = at + headEnd + BLANK_LINE.length;
    const end = body.indexOf(line, start);
    if (end < 0) return null;
    if (NAME.test(head.slice(0, headEnd)))
      return end > start && end - start <= MAX_MODEL ? body.toString('utf8', start, end) : null;
    at = end + line.length;
  }
  return null;
}
