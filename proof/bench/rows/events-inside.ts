import type { PlatformState } from '@switchyard/testing';
import { freePort } from '../../../tools/launcher/ports';
import { SideProcess } from '../side-process';
import type { Recording } from '../sides/event-bus-service';
import type { EventsScene } from './events-scene';

/** A replica of the event bus that is asked from within. */
export class EventBusSide {
  private constructor(
    private readonly side: SideProcess,
    private readonly scene: EventsScene,
  ) {}

  static async start(state: PlatformState, scene: EventsScene): Promise<EventBusSide> {
    const own = state.secrets.services['event-bus'];
    const publicKeys = Object.entries(state.secrets.services).map(([name, each]) => [name, each.publicKey]);
    const side = await SideProcess.start('event-bus-service', {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      NATS_URL: state.natsUrl,
      NATS_NKEY_SEED: own?.nats.seed,
      DATABASE_URL: state.databaseLogins['event-bus'],
      DATA_KEY: own?.dataKey,
      INTERNAL_HOST: '127.0.0.1',
      INTERNAL_PORT: String(await freePort()),
      SERVICE_PRIVATE_KEY: own?.privateKey,
      SERVICE_PUBLIC_KEYS: JSON.stringify(Object.fromEntries(publicKeys)),
      INTERNAL_URLS: JSON.stringify(state.internalUrls),
    });
    return new EventBusSide(side, scene);
  }

  get pid(): number | undefined {
    return this.side.pid;
  }

  /** Emissions a second that so many callers inside the process get recorded. */
  async recordedPerSecond(callers: number, times: number): Promise<number> {
    const { space, applicationId, appIdentifier } = this.scene;
    const recording: Recording = { spaceId: space.id, applicationId, appIdentifier, callers, times };
    return Number(await this.side.ask(JSON.stringify(recording)));
  }

  /** Requests of the others would have no receiver meanwhile. */
  end(): Promise<void> {
    return this.side.end();
  }
}
