import { type TestPlatform, findCanaries, until } from '@switchyard/testing';
import { changesOf } from '../audit';
import { unexpectedEnds } from '../findings';
import { type KeyBooks, booksOf } from '../keys/key-books';
import { ACT, WRITE } from './approval-script';
import type { ApprovalOutcome } from './approval-client';
import type { ApprovalFound, ToolAnswer, ToolEffect } from './approval-invariants';
import { type ApprovalScene, NARROW_TOKENS, WIDE_TOKENS } from './approval-load';
import { type EffectsServer, digestOf } from './effects-server';

/** Until no turn runs, nothing is reserved and each answer is recorded, or it has lasted too long: then the rules say what is missing. */
export async function untilApprovalsRest(
  platform: TestPlatform,
  { space }: ApprovalScene,
  timeoutMs: number,
): Promise<void> {
  const isQuiet = async (): Promise<boolean> => {
    const [row] = await platform.database.query<{ waiting: number }>(
      `select (select count(*)::int from session.turns where space_id = $1 and status = 'RUNNING')
            + (select count(*)::int from relay.accounts where space_id = $1 and reserved > 0)
            + (select count(*)::int from session.interactions where space_id = $1 and status = 'ANSWERED')
            - (select count(distinct target)::int from key.space_events where space_id = $1 and action = 'approval.answered') as waiting`,
      [space.id],
    );
    return row?.waiting === 0;
  };
  await until(isQuiet, { timeoutMs, everyMs: 500 }).catch(() => undefined);
}

export async function collectApprovals(
  platform: TestPlatform,
  scene: ApprovalScene,
  server: EffectsServer,
  outcomes: readonly ApprovalOutcome[],
): Promise<ApprovalFound> {
  const { database } = platform;
  const of = [scene.space.id];
  const answers = await database.query<ToolAnswer & Record<string, unknown>>(
    `select turn_id as "turnId", name as tool, content->0->>'text' as text from session.messages
      where space_id = $1 and role = 'tool' and name is not null`,
    of,
  );
  const events = await database.query<ApprovalFound['events'][number] & Record<string, unknown>>(
    `select target as "interactionId", array(select jsonb_array_elements(details::jsonb->'calls')->>'digest') as digests
       from key.space_events where space_id = $1 and action = 'approval.answered'`,
    of,
  );
  const booksOfKey = (name: 'wide' | 'narrow', limit: number): Promise<KeyBooks> =>
    booksOf(platform, scene.space.id, { name, keyId: scene[name].identity.keyId, limit });
  return {
    outcomes,
    turns: await database.query<{ turnId: string; status: string }>(
      'select turn_id as "turnId", status from session.turns where space_id = $1',
      of,
    ),
    effects: [
      ...server.effects.map(({ name, digest }): ToolEffect => ({ name, tool: ACT, digest })),
      ...(await writtenIn(scene)),
    ],
    answers,
    events,
    keys: [await booksOfKey('narrow', NARROW_TOKENS), await booksOfKey('wide', WIDE_TOKENS)],
    canaries: await findCanaries(platform, [scene.secret]),
    isSecretUsed: server.credentials.has(`Bearer ${scene.secret}`),
    changes: await changesOf(platform, 'session.turns'),
    unexpectedEnds: unexpectedEnds(platform.state.home),
  };
}

/** Each record is an effect, done with the arguments that make it. */
async function writtenIn({ space, datasetId }: ApprovalScene): Promise<ToolEffect[]> {
  const effects: ToolEffect[] = [];
  let cursor: string | null = null;
  do {
    const sent = { limit: 1000, ...(cursor === null ? {} : { cursor }) };
    const reply = await space.owner.post(`/datasets/${datasetId}/data/query`, sent);
    if (reply.status !== 200) throw new Error(`records were not read: ${reply.status} ${JSON.stringify(reply.body)}`);
    const page = reply.body as { data: { title: string; amount: number }[]; page: { nextCursor: string | null } };
    for (const { title, amount } of page.data) {
      const args = { datasetId, operation: 'insert', records: [{ title, amount }] };
      effects.push({ name: title, tool: WRITE, digest: digestOf(args) });
    }
    cursor = page.page.nextCursor;
  } while (cursor !== null);
  return effects;
}
