import type { Http } from '../http/http';
import type { Emission, EmissionReceipt } from '../records/work';

/** Speaks with the key of an application: see `systemApiKey` of its installation. */
export class Events {
  constructor(private readonly http: Http) {}

  /** With an idempotency key it is safe to repeat, and a lost connection is repeated by itself. */
  emit(emission: Emission): Promise<EmissionReceipt> {
    const { idempotencyKey } = emission;
    return this.http.data({ method: 'POST', path: '/events/emit', body: emission, idempotencyKey });
  }
}
