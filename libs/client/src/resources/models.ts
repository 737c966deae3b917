import type { Http } from '../http/http';
import type { Model } from '../records/model';

/** Models offered by the relay. For model calls, use any OpenAI client with the base URL `{baseUrl}/models/v1`. */
export class Models {
  constructor(private readonly http: Http) {}

  /** Those that the credential may call. */
  async list(): Promise<Model[]> {
    return this.http.data({ method: 'GET', root: '/models/v1', path: '/models' });
  }
}
