import { request as httpRequest } from 'node:http';
import { AppError } from '@switchyard/kernel';
import { CallContract, ownerOf } from '@switchyard/contracts';
import { BusOptions } from '../options';
import { MAX_CARRIED, tooLarge } from '../transport/chunked-payloads';

export const OFFLINE_PATH = '/bus/';

/** While NATS is down, calls marked `offline` go to the owner's internal port, with the same envelope and signature. */
export class HttpFallback {
  constructor(private readonly options: BusOptions) {}

  send(contract: CallContract, envelope: Buffer, deadline: number): Promise<Uint8Array> {
    const base = this.options.internalUrls[ownerOf(contract)];
    const unavailable = (cause?: unknown): AppError =>
      new AppError('SERVICE_UNAVAILABLE', 'A part of the platform is not available. Try again shortly.', {
        cause,
        retryAfterSeconds: 1,
      });
    if (!base) return Promise.reject(unavailable());
    return new Promise((resolve, reject) => {
      const request = httpRequest(new URL(`${OFFLINE_PATH}${contract.subject}`, base), {
        method: 'POST',
        timeout: Math.max(1, deadline - Date.now()),
        headers: { 'content-type': 'application/json', 'content-length': envelope.byteLength },
      });
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size <= MAX_CARRIED) chunks.push(chunk);
          else {
            reject(tooLarge('answer'));
            request.destroy();
          }
        });
        response.on('error', (error) => {
          reject(unavailable(error));
        });
        response.on('end', () => {
          if (response.statusCode === 200) resolve(Buffer.concat(chunks));
          else reject(unavailable(new Error(`the internal port answered ${response.statusCode}`)));
        });
      });
      request.on('timeout', () => request.destroy(new Error('timeout')));
      request.on('error', (error) => {
        reject(unavailable(error));
      });
      request.end(envelope);
    });
  }
}
