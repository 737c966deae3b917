import { AppError } from '@switchyard/kernel';
import { type FormPart, partOf } from './multipart-part';

const BOUNDARY = /;\s*boundary=(?:"([^"\\\r\n]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i;
const BOUNDARIES = /;\s*boundary[\s*]*=/gi;
const MAX_PARTS = 64;
const MAX_HEAD = 1024;
const MAX_MODEL = 200;
const BLANK_LINE = '\r\n\r\n';

const refused = (): AppError =>
  new AppError('VALIDATION_ERROR', 'The form must have one field called model, written as name="model".');

/**
 * The `model` of a multipart form, at any position; null if ambiguous. The form goes on
 * unchanged, so the upstream must not find another model in it: a form with two, or with one in a spelling that others
 * may read in another way, is refused.
 */
export function modelInForm(contentType: string, body: Buffer): string | null {
  const boundary = boundaryIn(contentType);
  if (boundary === null) return null;
  let found: string | null = null;
  let models = 0;
  let isWhole = true;
  for (const { head, start, end } of partsOf(body, Buffer.from(`--${boundary}`, 'latin1'))) {
    if (head === null) {
      isWhole = false;
      continue;
    }
    const part: FormPart = partOf(head);
    if (part === 'unclear') throw refused();
    if (part === 'other') continue;
    models += 1;
    if (models > 1) throw refused();
    const length = end - start;
    if (length > 0 && length <= MAX_MODEL) found = body.toString('utf8', start, end);
  }
  // A body that cannot be parsed completely might name another model further on.
  return isWhole ? found : null;
}

function boundaryIn(contentType: string): string | null {
  if ((contentType.match(BOUNDARIES) ?? []).length !== 1) return null;
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  return quoted ?? plain ?? null;
}

interface BodyPart {
  /** Null where the form cannot be read. */
  head: string | null;
  start: number;
  end: number;
}

const UNREADABLE: BodyPart = { head: null, start: 0, end: 0 };

/** The parts between the lines of the boundary. A line that only some would take for one makes the form unreadable. */
function* partsOf(body: Buffer, line: Buffer): Generator<BodyPart> {
  let from = -1;
  let parts = 0;
  let isClosed = false;
  for (let at = body.indexOf(line); at !== -1; at = body.indexOf(line, at + line.length)) {
    const before = body.toString('latin1', Math.max(0, at - 2), at);
    if (at > 0 && !/[\r\n]$/.test(before)) continue;
    const after = body.toString('latin1', at + line.length, at + line.length + 2);
    if ((at > 0 && before !== '\r\n') || (after !== '\r\n' && after !== '--') || isClosed) {
      yield UNREADABLE;
      return;
    }
    if (from !== -1) {
      parts += 1;
      const head = body.toString('latin1', from, Math.min(at, from + MAX_HEAD));
      const headEnd = head.indexOf(BLANK_LINE);
      const start = from + headEnd + BLANK_LINE.length;
      if (headEnd < 0 || start > at - 2 || parts > MAX_PARTS) {
        yield UNREADABLE;
        return;
      }
      yield { head: head.slice(0, headEnd), start, end: at - 2 };
    }
    from = at + line.length;
    isClosed = after === '--';
  }
  if (!isClosed) yield UNREADABLE;
}
