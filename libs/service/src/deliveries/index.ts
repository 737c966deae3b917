export { deliveryDelayMs, readRetryAfter } from './delivery-schedule';
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
  failure,
  sendWebhook,
} from './webhook-request';
