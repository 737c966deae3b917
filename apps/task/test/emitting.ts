import { newId } from '@switchyard/kernel';
import { type Client, type Reply, type TestSpace } from '@switchyard/testing';

/** An application of a test, with one event that takes any payload. */
export class AnApplication {
  private constructor(
    private readonly space: TestSpace,
    private readonly app: Client,
    readonly identifier: string,
    readonly event: string,
  ) {}

  static async install(space: TestSpace, event = 'happened'): Promise<AnApplication> {
    const identifier = `app-${newId().slice(-12)}`;
    const events = [{ name: event, schema: { type: 'object' } }];
    const manifest = { identifier, name: 'Test', version: '1.0.0', events };
    const { status, body } = await space.owner.post('/applications', { manifest });
    if (status !== 201) throw new Error(`not installed: ${status} ${JSON.stringify(body)}`);
    return new AnApplication(space, space.owner.as(`Bearer ${body.data.systemApiKey as string}`), identifier, event);
  }

  subscribe(taskId: string): Promise<Reply> {
    const { identifier: appIdentifier, event } = this;
    return this.space.owner.post('/events/subscriptions', { appIdentifier, event, taskId });
  }

  async emit(payload: Record<string, unknown> = {}): Promise<string> {
    const { identifier: appIdentifier, event } = this;
    const { status, body } = await this.app.post('/events/emit', { appIdentifier, event, payload });
    if (status !== 202) throw new Error(`not emitted: ${status} ${JSON.stringify(body)}`);
    return body.data.envelopeId as string;
  }
}
