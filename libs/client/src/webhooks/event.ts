/** An event that the platform has sent to an endpoint. */
export interface WebhookEvent<Data = Record<string, unknown>> {
  /** Name of the event. */
  type: string;
  /** When it was emitted. There is no order: compare these. */
  timestamp: string;
  data: Data;
  /** Absent in a test, and in the callback of a job. */
  envelopeId?: string;
  /** Of a test of the endpoint. */
  test?: true;
}
