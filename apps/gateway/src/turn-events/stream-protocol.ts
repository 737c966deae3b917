import { AppError } from '@switchyard/kernel';

export const PROTOCOL = 'stream-v3';
export const PROTOCOL_HEADER = 'x-service-stream-protocol';

/** A streaming client names the protocol that it reads; frames of another one would be misread. */
export function requireStreamProtocol(header: string | undefined): void {
  if (header === PROTOCOL) return;
  throw new AppError(
    'STREAM_PROTOCOL_REQUIRED',
    `A streaming request needs the header X-Service-Stream-Protocol: ${PROTOCOL}; ${header === undefined ? 'it is missing' : 'it has another value'}. Send it, or set "stream" to false.`,
    { headers: { [PROTOCOL_HEADER]: PROTOCOL, upgrade: PROTOCOL } },
  );
}
