import { AgentCalls, type Ctx, PRODUCT_EVENTS, SessionCalls, type TurnRecord } from '@switchyard/contracts';
import { AppError, type JsonObject } from '@switchyard/kernel';
import type { Bus, StreamReader } from '@switchyard/messaging';
import { Metrics, type Workers } from '@switchyard/service';
import type { FastifyReply } from 'fastify';
import { ActiveResponses } from '../../auth/active-responses';
import type { Principals } from '../../auth/principals';
import type { GatewayConfig } from '../../gateway.config';
import { FrameFollower } from '../../turn-events/frame-follower';
import type { TurnStreamer } from '../../turn-events/turn-streamer';
import { OpenAiTurns } from './openai-turns';
import { ResponsesController } from './responses.controller';
import { PartialResponseCache } from './partial-response-cache';

const TURN_ID = '0190a1b2-0000-7000-8000-000000000001';
const ctx = {
  credentialType: 'api_key',
  credentialId: 'key',
  userId: 'ann',
  spaceId: 'space',
  scopes: [],
} as never as Ctx;
const workers = { every: () => undefined, whileNeeded: () => () => undefined } as unknown as Workers;
const principals = { verifiedAt: () => Date.now() } as never as Principals;
const limits = { STREAMS_PER_CREDENTIAL: 10, WAITS_PER_CREDENTIAL: 10, WAITS_PER_PROCESS: 10 } as GatewayConfig;

const STARTED = { event: PRODUCT_EVENTS.sessionStarted, session_id: null };
const words = (delta: string): JsonObject => ({ event: PRODUCT_EVENTS.contentDelta, delta, message_id: 'm' });

/** A turn whose frames a test sets, and the gateway that reads it. */
class Scripted {
  frames: JsonObject[] = [];
  turn = { id: TURN_ID, key: 'k', agentId: 'a', sessionId: null, status: 'RUNNING', epoch: 1 } as TurnRecord;
  /** Why its agent may not be called. */
  refusal: AppError | null = null;
  /** So many are given frames; the next ones wait, as on a machine that is too busy. */
  readers = Infinity;
  /** Behind which frame each reader has begun. */
  readonly attached: number[] = [];
  private readonly controller: ResponsesController;

  constructor() {
    const bus = {
      onDown: () => undefined,
      call: ({ subject }: { subject: string }) => {
        if (subject === SessionCalls.getTurn.subject) return Promise.resolve(this.turn);
        return subject === AgentCalls.checkCallable.subject && !this.refusal
          ? Promise.resolve({})
          : Promise.reject(this.refusal ?? new AppError('NOT_FOUND', 'Not found.'));
      },
      stream: (_: unknown, __: unknown, { after }: { after: number }, { signal }: { signal: AbortSignal }) => {
        this.attached.push(after);
        if (this.attached.length > this.readers) return Promise.resolve(this.reader(Infinity, signal));
        return Promise.resolve(this.reader(after, signal));
      },
    } as unknown as Bus;
    const metrics = new Metrics('gateway');
    const streams = new ActiveResponses(limits, bus, principals, workers, metrics);
    const follower = new FrameFollower(bus, streams, principals);
    const turns = new OpenAiTurns(bus, follower);
    this.controller = new ResponsesController(
      bus,
      turns,
      {} as TurnStreamer,
      follower,
      new PartialResponseCache(workers, metrics),
    );
  }

  async poll(segment = 1): Promise<{ status: string; output: { content: { text: string }[] }[] }> {
    let answer: unknown;
    const reply = { send: (body: unknown) => (answer = body) } as unknown as FastifyReply;
    await this.controller.get(ctx, `resp_${TURN_ID}${segment === 1 ? '' : `_${segment}`}`, {}, reply);
    return answer as never;
  }

  inputItems(segment: number): Promise<JsonObject> {
    return this.controller.inputItems(ctx, `resp_${TURN_ID}_${segment}`, {});
  }

  async text(): Promise<string | undefined> {
    return (await this.poll()).output[0]?.content[0]?.text;
  }

  /** Gives what there is behind a frame, then, while the turn runs, nothing until it is left. */
  private reader(after: number, signal: AbortSignal): StreamReader<string> {
    const texts = this.frames.map((data, at) =>
      JSON.stringify({ type: 'event', method: 'custom:service', params: { timestamp: 0, data }, seq: at + 1 }),
    );
    let ready = texts.slice(after);
    return {
      more: () => {
        if (ready.length > 0) return Promise.resolve(true);
        if (this.turn.status !== 'RUNNING') return Promise.resolve(false);
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            reject(new Error('left'));
          });
        });
      },
      takeReady: () => {
        const taken = ready;
        ready = [];
        return taken;
      },
      cancel: () => undefined,
    } as unknown as StreamReader<string>;
  }
}

describe('a response that is polled', () => {
  it('is read from where it stopped, or from its first frame after a takeover', async () => {
    const scripted = new Scripted();
    scripted.frames = [STARTED, words('one '), words('lost')];
    expect(await scripted.text()).toBe('one lost');
    scripted.frames.push(words(' two'));
    expect(await scripted.text()).toBe('one lost two');
    expect(scripted.attached).toEqual([0, 3]);
    // Frames that were received but not stored are lost with their agent; the next agent reuses their numbers.
    scripted.turn = { ...scripted.turn, epoch: 2 };
    scripted.frames.splice(
      2,
      2,
      { event: PRODUCT_EVENTS.stepRestarted, from_seq: 2 },
      { ...words('anew'), message_id: 'n' },
    );
    const { output } = await scripted.poll();
    expect(output.map(({ content }) => content[0]?.text)).toEqual([undefined, 'anew']);
  });

  it('returns at once when it is complete, and is refused without access to its agent', async () => {
    const scripted = new Scripted();
    const call = { event: PRODUCT_EVENTS.localToolCall, call_id: 'c', name: 'f', arguments: {} };
    scripted.frames = [STARTED, words('Let me look.'), call];
    const first = await scripted.poll();
    expect(first.status).toBe('completed');
    scripted.frames.push({
      event: PRODUCT_EVENTS.toolExecution,
      tool_call_id: 'c',
      name: 'f',
      source: 'local',
      status: 'succeeded',
    });
    expect(await scripted.poll()).toEqual(first);
    expect(scripted.attached).toEqual([0]);
    scripted.refusal = new AppError('FORBIDDEN', 'This agent is restricted.');
    await expect(scripted.poll()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    // If the agent was deleted, its user can still read the output of the turn.
    scripted.refusal = new AppError('NOT_FOUND', 'Agent not found.');
    expect(await scripted.poll()).toEqual(first);
  });
});

describe('the input items of a response whose turn runs', () => {
  const call = { event: PRODUCT_EVENTS.localToolCall, call_id: 'c', name: 'f', arguments: {} };
  const settled = {
    event: PRODUCT_EVENTS.toolExecution,
    tool_call_id: 'c',
    name: 'f',
    source: 'local',
    status: 'succeeded',
  };

  it('are found in the first read', async () => {
    const scripted = new Scripted();
    scripted.readers = 1;
    scripted.frames = [STARTED, call, { ...settled, result: 'sun' }];
    expect(await scripted.inputItems(2)).toMatchObject({ data: [{ output: 'sun' }], has_more: false });
    expect(scripted.attached).toEqual([0]);
  });

  it('are empty before the first one, and 404 for an unknown response', async () => {
    const scripted = new Scripted();
    scripted.frames = [STARTED, call];
    expect(await scripted.inputItems(2)).toMatchObject({ data: [] });
    scripted.turn = { ...scripted.turn, status: 'COMPLETED' };
    scripted.frames = [STARTED, { event: PRODUCT_EVENTS.streamEnded, status: 'COMPLETED' }];
    await expect(scripted.inputItems(2)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
