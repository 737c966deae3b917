import { randomUUID } from 'node:crypto';
import { type Ctx, EventBusCalls, makeCtx } from '@switchyard/contracts';
import { until } from '@switchyard/testing';
import { Pool } from 'undici';
import type { Peer } from '../../../libs/messaging/test/conformance/peer';
import type { Pids } from '../cpu';
import { startGatewayPeer } from '../gateway-peer';
import type { BenchContext } from '../row';
import { processesOf } from '../shape';
import { BareInsert } from './events-insert';
import { type EventsScene, payloadOf, setEventsScene } from './events-scene';

const PARTS = ['gateway', 'event-bus', 'task', 'postgres', 'nats', 'redis'];

export type Emit = (payload?: Record<string, unknown>) => Promise<unknown>;

/** A Space with an application and a task, and the two ways to emit into it. */
export interface EventsGround {
  scene: EventsScene;
  bare: BareInsert;
  overHttp: Emit;
  /** As another service calls the event bus: without the gateway. */
  overBus: Emit;
  /** The processes that have a part in an emission over HTTP. */
  pids: Pids;
  stop(): Promise<void>;
}

function overHttp(scene: EventsScene, pool: Pool): Emit {
  const headers = { authorization: `Bearer ${scene.key}`, 'content-type': 'application/json' };
  return async (payload = payloadOf()) => {
    const body = JSON.stringify({
      appIdentifier: scene.appIdentifier,
      event: 'order',
      payload,
      idempotencyKey: randomUUID(),
    });
    const reply = await pool.request({ method: 'POST', path: '/api/events/emit', headers, body });
    const text = await reply.body.text();
    if (reply.statusCode !== 202) throw new Error(`${reply.statusCode}: ${text}`);
    return text;
  };
}

/** As another service calls the event bus. */
export function overBus(scene: EventsScene, peer: Peer): Emit {
  const ctx = (): Ctx =>
    makeCtx({
      spaceId: scene.space.id,
      userId: null,
      role: null,
      scopes: ['events:emit'],
      credentialId: scene.applicationId,
      credentialType: 'system_key',
      applicationId: scene.applicationId,
    });
  return (payload = payloadOf()) =>
    peer.bus.call(EventBusCalls.emit, ctx(), {
      appIdentifier: scene.appIdentifier,
      event: 'order',
      payload,
      idempotencyKey: randomUUID(),
    });
}

export async function prepareGround({ state }: BenchContext): Promise<EventsGround> {
  const scene = await setEventsScene();
  const bare = await BareInsert.start(state.databaseUrl);
  const peer = await startGatewayPeer(state);
  const pool = new Pool(state.url, { connections: 128 });
  return {
    scene,
    bare,
    overHttp: overHttp(scene, pool),
    overBus: overBus(scene, peer),
    pids: { ...processesOf(state, PARTS), caller: process.pid },
    stop: async () => {
      await pool.close();
      await peer.stop();
      await bare.stop();
      await scene.platform.database.close();
    },
  };
}

/**
 * Until everything is dispatched, run and confirmed. Each part ends at its first row: what this reads is in the processor
 * time of Postgres.
 */
export async function settled({ platform }: EventsScene): Promise<void> {
  const parts = [
    `event_bus.emissions where status = 'PENDING'`,
    'event_bus.outbox',
    'task.outbox',
    `task.executions where status = 'QUEUED'`,
    `task.executions where status = 'RUNNING'`,
  ];
  const isWaiting = parts.map((part) => `exists (select 1 from ${part})`).join(' or ');
  const isOver = async (): Promise<boolean> => {
    const [row] = await platform.database.query<{ waits: boolean }>(`select ${isWaiting} as waits`);
    return row?.waits === false;
  };
  await until(isOver, { timeoutMs: 180_000, everyMs: 50 });
}

/** As autovacuum does within a minute: until then the planner knows nothing of tables that were just made. */
export async function analyze({ platform }: EventsScene): Promise<void> {
  for (const table of ['event_bus.emissions', 'event_bus.deliveries', 'task.executions', 'task.execution_steps'])
    await platform.database.query(`analyze ${table}`);
}
