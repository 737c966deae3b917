import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendJson } from './reply';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A tenth of a second of silence: 8 kHz, 8 bits, mono. */
function silence(): Buffer {
  const samples = 800;
  const wave = Buffer.alloc(44 + samples, 0x80);
  wave.write('RIFF', 0, 'latin1');
  wave.writeUInt32LE(36 + samples, 4);
  wave.write('WAVEfmt ', 8, 'latin1');
  wave.writeUInt32LE(16, 16);
  wave.writeUInt16LE(1, 20);
  wave.writeUInt16LE(1, 22);
  wave.writeUInt32LE(8000, 24);
  wave.writeUInt32LE(8000, 28);
  wave.writeUInt16LE(1, 32);
  wave.writeUInt16LE(8, 34);
  wave.write('data', 36, 'latin1');
  wave.writeUInt32LE(samples, 40);
  return wave;
}

/** `POST /v1/audio/speech` */
export function speak(response: ServerResponse): void {
  const wave = silence();
  response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': wave.length });
  response.end(wave);
}

/** `POST /v1/audio/transcriptions` and `/v1/audio/translations` */
export function transcribe(response: ServerResponse, body: Buffer): void {
  sendJson(response, 200, { text: `You sent ${body.length} bytes of audio.` });
}

/** `POST /v1/images/generations`, `/v1/images/edits`, `/v1/images/variations` */
export function draw(response: ServerResponse): void {
  sendJson(response, 200, { created: Math.floor(Date.now() / 1000), data: [{ b64_json: PIXEL }] });
}

/** `/v1/inspect`: what arrived, so that a test can see what a relay let through. */
export function inspect(response: ServerResponse, request: IncomingMessage, body: Buffer): void {
  sendJson(response, 200, {
    method: request.method,
    url: request.url,
    headers: request.headers,
    bytes: body.length,
    sha256: createHash('sha256').update(body).digest('hex'),
  });
}

/** `POST /v1/echo`: the same bytes back. */
export function echo(response: ServerResponse, request: IncomingMessage, body: Buffer): void {
  response.writeHead(200, {
    'content-type': request.headers['content-type'] ?? 'application/octet-stream',
    'content-length': body.length,
  });
  response.end(body);
}
