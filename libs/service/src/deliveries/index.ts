export { type AfterAttempt, afterAttempt } from './after-attempt';
export { FIRST_WAIT_MS, readRetryAfter } from './delivery-schedule';
export { DELIVERY_LEASE, DeliveryRows, type DeliveryTable } from './delivery-rows';
export {
  type Delivery,
  type DeliveryQueues,
  DeliveryRunner,
  type QueueRef,
  type QueueCapacity,
  type RunnerParts,
} from './delivery-runner';
export {
  type AttemptFailure,
  type AttemptResult,
  DELIVERY_TIMEOUT_MS,
  type WebhookRequest,
  attempted,
  failedAttempt,
  failure,
  sendWebhook,
} from './webhook-request';
