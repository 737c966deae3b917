import type { FastifyReply } from 'fastify';
import { closeAfter } from './connection-close';
import type { ApiRequest } from './api-request';

/** So little is read and thrown away by Node itself, and the connection goes on. */
const SMALL_BYTES = 64 * 1024;
const DISCARD_BYTES = 64 * 1024 * 1024;
const DISCARD_MS = 10_000;
/** A client that sends nothing for so long has read the answer, or is not going to. */
const QUIET_MS = 500;

const hasBody = ({ headers }: ApiRequest): boolean =>
  headers['transfer-encoding'] !== undefined ||
  (headers['content-length'] !== undefined && headers['content-length'] !== '0');

/** Whether the request is answered before its body was read, and more of it is on the way than is worth reading. */
export function isEarly(request: ApiRequest): boolean {
  const { raw } = request;
  if (!hasBody(request) || raw.complete || raw.readableFlowing === true) return false;
  const declared = request.headers['content-length'];
  return request.sendContinue !== undefined || declared === undefined || Number(declared) > SMALL_BYTES;
}

/**
 * Answers at once and closes the connection. A client that is still sending reads nothing, and would hear of a reset
 * instead of the answer: so what comes after it is read and thrown away for a while, before the connection ends.
 */
export function respondBeforeBody(request: ApiRequest, reply: FastifyReply, body: string): void {
  const { raw } = reply;
  closeAfter(request.raw);
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  reply.hijack();
  raw.setHeader('connection', 'close');
  raw.setHeader('content-length', Buffer.byteLength(body));
  raw.writeHead(reply.statusCode);
  // A client that waits for `100 Continue` sends nothing more.
  if (request.sendContinue) {
    raw.end(body);
    return;
  }
  raw.write(body);
  discardUntilEnd(request, () => raw.end());
}

function discardUntilEnd({ raw }: ApiRequest, done: () => void): void {
  let remaining = DISCARD_BYTES;
  const end = (): void => {
    clearTimeout(timer);
    clearTimeout(quiet);
    raw.off('data', take).off('end', end).off('close', end);
    done();
  };
  const take = (bytes: Buffer): void => {
    remaining -= bytes.length;
    quiet.refresh();
    if (remaining < 0) end();
  };
  const timer = setTimeout(end, DISCARD_MS).unref();
  const quiet = setTimeout(end, QUIET_MS).unref();
  raw.on('error', () => undefined);
  raw.on('data', take).once('end', end).once('close', end).resume();
}
