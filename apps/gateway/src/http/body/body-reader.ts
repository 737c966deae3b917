import type { Readable } from 'node:stream';
import { AppError, isPlainObject } from '@switchyard/kernel';
import type { ByteReservation } from '../../limits/byte-reservation';
import { BufferAccumulator } from './buffer-accumulator';
import type { ApiRequest } from '../api-request';

const tooLarge = (limit: number): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${Math.floor(limit / 1024)} KiB.`);

const BROKEN_OFF = 'The body ended before it was complete.';

/** The client has left, or its chunks are not well-formed: no failure of the platform. */
export const brokenOff = (cause: unknown): AppError => new AppError('VALIDATION_ERROR', BROKEN_OFF, { cause });

export const isBrokenOff = (error: AppError): boolean => error.message === BROKEN_OFF;

/**
 * Reads a body whole. Bytes are reserved before they are stored: by Content-Length, or as they arrive. A refusal is
 * immediate; the rest stays unread.
 */
export function readAdmitted(
  request: ApiRequest,
  body: Readable,
  { reservation, limit }: { reservation: ByteReservation; limit: number },
): Promise<Buffer> {
  const declared = request.headers['content-length'];
  const length = declared === undefined ? undefined : Number(declared);
  return new Promise((resolve, reject) => {
    if (length !== undefined && length > limit) throw tooLarge(limit);
    if (length !== undefined) reservation.grow(length);
    request.reservation = reservation;
    letSend(request);
    const refuse = (error: Error): void => {
      letGoOfBody(request);
      reject(error);
    };
    collect(body, { length, limit, reservation, resolve, refuse });
  });
}

/** Tells a client that waits for it that it may send its body. */
export function letSend(request: ApiRequest): void {
  request.sendContinue?.();
  request.sendContinue = undefined;
}

interface Collecting {
  length: number | undefined;
  limit: number;
  reservation: ByteReservation;
  resolve: (body: Buffer) => void;
  refuse: (error: Error) => void;
}

/** Listens instead of iterating, which costs a small body less than half. */
function collect(body: Readable, { length, limit, reservation, resolve, refuse }: Collecting): void {
  const gathered = new BufferAccumulator();
  const leave = (): void => {
    body.off('data', take).off('end', end).off('error', breakOff).off('close', breakOff);
  };
  const fail = (error: Error): void => {
    leave();
    refuse(error);
  };
  const breakOff = (error?: Error): void => {
    fail(brokenOff(error));
  };
  const take = (chunk: Buffer): void => {
    try {
      if (gathered.length + chunk.length > limit) throw tooLarge(limit);
      if (length === undefined) reservation.grow(chunk.length);
      gathered.add(chunk);
    } catch (error) {
      body.pause();
      fail(error as Error);
    }
  };
  const end = (): void => {
    leave();
    resolve(gathered.take());
  };
  body.on('data', take).on('end', end).on('error', breakOff).on('close', breakOff);
}

/**
 * The body is no longer needed: its reservation ends. The parsed body is cleared in place, because the request
 * references it until the response ends, and a stream can take ten minutes.
 */
export function emptyBody(request: ApiRequest): void {
  const { body } = request;
  if (isPlainObject(body) && !Buffer.isBuffer(body))
    for (const [name, value] of Object.entries(body)) {
      if (Array.isArray(value)) value.length = 0;
      body[name] = undefined;
    }
  letGoOfBody(request);
}

/** Gives the bytes of a request's body back to the budget. */
export function letGoOfBody(request: ApiRequest): void {
  request.reservation?.release();
  request.body = undefined;
}
