import type { ProxyAnswer } from '@switchyard/contracts';
import type { ApiReply } from '../http/api-request';

/** An answer of the relay whose head is here. */
export interface RelayedAnswer {
  readonly head: ProxyAnswer;
  /** Writes its bytes as they arrive, and never more than the client takes. Rejects where they break off. */
  pour(raw: ApiReply['raw']): Promise<void> | undefined;
  /** Nothing more of it is wanted. */
  drop(): void;
}
