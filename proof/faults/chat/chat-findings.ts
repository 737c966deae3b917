import type { FrameEnvelope } from '@switchyard/contracts';
import { type TestPlatform, until } from '@switchyard/testing';
import { changesOf } from '../audit';
import { unexpectedEnds } from '../findings';
import type { ChatScene } from './chat-load';
import type { ChatFound, LedgerRow, MessageRow, TurnRow, UpstreamCall } from './chat-invariants';
import { framesStoredTwice } from './kept-frames';
import { Transcript } from './transcript';
import type { TurnOutcome } from './turn-client';

/** Until no turn runs and nothing is reserved, or it has lasted too long: then the rules will say what still waits. */
export async function untilTurnsRest(platform: TestPlatform, { space }: ChatScene, timeoutMs: number): Promise<number> {
  const startedAt = Date.now();
  const isQuiet = async (): Promise<boolean> => {
    const [row] = await platform.database.query<{ waiting: number }>(
      `select (select count(*)::int from session.turns where space_id = $1 and status = 'RUNNING')
            + (select count(*)::int from relay.accounts where space_id = $1 and reserved > 0) as waiting`,
      [space.id],
    );
    return row?.waiting === 0;
  };
  await until(isQuiet, { timeoutMs, everyMs: 500 }).catch(() => undefined);
  return Date.now() - startedAt;
}

export async function collectChat(
  platform: TestPlatform,
  scene: ChatScene,
  outcomes: readonly TurnOutcome[],
): Promise<ChatFound> {
  const { database } = platform;
  const of = [scene.space.id];
  const turns = await database.query<TurnRow & Record<string, unknown>>(
    `select id as key, turn_id as "turnId", session_id as "sessionId", status, recoveries, error->>'message' as failure from session.turns where space_id = $1`,
    of,
  );
  const messages = await database.query<MessageRow & Record<string, unknown>>(
    `select session_id as "sessionId", seq, turn_id as "turnId", role, content, finish_reason as "finishReason" from session.messages
      where space_id = $1 order by session_id, seq`,
    of,
  );
  const ledger = await database.query<LedgerRow & Record<string, unknown>>(
    `select type, tokens::int, balance_after::int as "balanceAfter", turn_id as "turnId", outcome, estimated,
            prompt_tokens::int as "promptTokens", completion_tokens::int as "completionTokens"
       from relay.ledger where space_id = $1 order by seq`,
    of,
  );
  const [account] = await database.query<{ balance: number; reserved: number }>(
    'select balance::int, reserved::int from relay.accounts where space_id = $1',
    of,
  );
  const [leased] = await database.query<{ rows: number }>(
    'select count(*)::int as rows from relay.reservations where space_id = $1',
    of,
  );
  return {
    outcomes,
    turns,
    messages,
    ledger,
    account: { balance: account?.balance ?? 0, reserved: account?.reserved ?? 0, reservations: leased?.rows ?? 0 },
    upstream: await upstreamCalls(platform.state.simulatorUrl),
    replays: await replaysOf(scene, outcomes),
    storedTwice: await framesStoredTwice(
      platform,
      turns.map(({ key }) => key),
    ),
    changes: await changesOf(platform, 'session.turns'),
    unexpectedEnds: unexpectedEnds(platform.state.home),
  };
}

async function upstreamCalls(simulatorUrl: string): Promise<UpstreamCall[]> {
  const { calls } = (await (await fetch(`${simulatorUrl}/calls`)).json()) as {
    calls: (UpstreamCall & { text: string })[];
  };
  return calls.map(({ text, ...call }) => ({ ...call, name: text.split('\n')[0] ?? '' }));
}

/** Every turn read once more from its first frame, when all is over. */
async function replaysOf(scene: ChatScene, outcomes: readonly TurnOutcome[]): Promise<ChatFound['replays']> {
  const replays: ChatFound['replays'] = new Map();
  const queue = [...outcomes];
  const reader = async (): Promise<void> => {
    for (let outcome = queue.pop(); outcome; outcome = queue.pop()) {
      const { turnId } = outcome.script;
      replays.set(
        turnId,
        await replayOf(scene, turnId).catch((error: unknown) => ({
          frames: [],
          problems: [String(error)],
          isExpired: false,
        })),
      );
    }
  };
  await Promise.all(Array.from({ length: 8 }, reader));
  return replays;
}

async function replayOf(
  { space, agentId }: ChatScene,
  turnId: string,
): Promise<{ frames: FrameEnvelope[]; problems: string[]; isExpired: boolean }> {
  const stream = await space.owner.stream(`/agents/${agentId}/turns/${turnId}/stream`, undefined, {
    signal: AbortSignal.timeout(20_000),
  });
  if (stream.status === 410) return { frames: [], problems: [], isExpired: true };
  const transcript = new Transcript();
  for await (const { data } of stream.frames) transcript.take(data as FrameEnvelope);
  return { frames: transcript.frames, problems: transcript.problems, isExpired: false };
}
