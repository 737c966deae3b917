import { AppError, type JsonObject, jsonBytes } from '@switchyard/kernel';

export const payloadTooLarge = (maxBytes: number): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', `The payload is larger than ${maxBytes} bytes of JSON.`);

/** Before an emission is sent to the event-bus. Counts up to the limit, however large the payload is. */
export function checkPayloadSize(payload: JsonObject, maxBytes: number): void {
  if (jsonBytes(payload, maxBytes) > maxBytes) throw payloadTooLarge(maxBytes);
}
