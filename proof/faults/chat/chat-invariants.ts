import type { FrameEnvelope, ProductEventKey } from '@switchyard/contracts';
import { type StateChange, wrongChanges } from '../audit';
import { GIVEN_UP, tooManyGivenUp } from '../given-up';
import { grouped } from '../grouped';
import { type Violation, violationsOf } from '../violations';
import { kindOf, said, textOf } from './transcript';
import type { TurnOutcome } from './turn-client';

export interface TurnRow {
  key: string;
  turnId: string;
  sessionId: string | null;
  status: string;
  recoveries: number;
  failure: string | null;
}

export interface MessageRow {
  sessionId: string;
  seq: number;
  turnId: string | null;
  role: string;
  content: { type: string; text?: string }[];
  finishReason: string | null;
}

export interface LedgerRow {
  type: string;
  tokens: number;
  balanceAfter: number;
  turnId: string | null;
  outcome: string | null;
  estimated: boolean | null;
  promptTokens: number | null;
  completionTokens: number | null;
}

export interface UpstreamCall {
  /** Of the turn that made it. */
  name: string;
  promptTokens: number;
  completionTokens: number;
  ended: 'open' | 'whole' | 'left';
}

export interface ChatFound {
  outcomes: readonly TurnOutcome[];
  turns: readonly TurnRow[];
  messages: readonly MessageRow[];
  ledger: readonly LedgerRow[];
  account: { balance: number; reserved: number; reservations: number };
  upstream: readonly UpstreamCall[];
  /** Each turn's stream, read again when all was over. */
  replays: Map<string, { frames: FrameEnvelope[]; problems: string[]; isExpired: boolean }>;
  /** Batches that the log of frames holds more than once. */
  storedTwice: readonly string[];
  changes: readonly StateChange[];
  unexpectedEnds: readonly string[];
}

const FINAL = new Set(['COMPLETED', 'FAILED', 'CANCELLED']);
const ENDINGS: Record<string, ProductEventKey> = { COMPLETED: 'responseCompleted', FAILED: 'errorOccurred' };
const OUTCOMES: readonly unknown[] = Object.values(ENDINGS);
const END: ProductEventKey = 'streamEnded';

const each = <T>(items: readonly T[], check: (item: T) => string | false | null | undefined): string[] =>
  items.flatMap((item) => check(item) || []);

const rowOf = ({ turns }: ChatFound, { script }: TurnOutcome): TurnRow | undefined =>
  turns.find(({ turnId }) => turnId === script.turnId);

/** Invariants, checked on client output, the database, and requests to the model. */
const rules = {
  'every turn of a client is one turn, and has come to one end': (found) =>
    each(found.outcomes, ({ script, status, refusal }) => {
      const rows = found.turns.filter(({ turnId }) => turnId === script.turnId);
      if (refusal !== null) return `${script.name} (${script.kind}) was refused: ${refusal}`;
      if (status === GIVEN_UP && rows.length === 0) return null;
      if (rows.length !== 1) return `${script.name} is ${rows.length} turns`;
      const [row] = rows;
      if (!FINAL.has(row?.status ?? '')) return `${script.name} (${script.kind}) is ${String(row?.status)}`;
      return row?.status === status
        ? null
        : `${script.name} ended ${String(row?.status)}; its client was told ${String(status)}`;
    }),
  'few turns are given up': ({ outcomes }) => tooManyGivenUp(outcomes),
  'there is no turn that nobody asked for': ({ turns, outcomes }) => {
    const sent = new Set(outcomes.map(({ script }) => script.turnId));
    return each(turns, ({ turnId }) => !sent.has(turnId) && turnId);
  },
  'frames are counted without a gap and never told in two ways': ({ outcomes, replays }) => [
    ...outcomes.flatMap(({ script, problems }) => problems.map((problem) => `${script.name}: ${problem}`)),
    ...outcomes.flatMap(({ script }) =>
      (replays.get(script.turnId)?.problems ?? []).map((problem) => `${script.name}, again: ${problem}`),
    ),
  ],
  'the log keeps what was written once': ({ storedTwice }) => [...storedTwice],
  'a stream tells one outcome, and its end last': ({ outcomes }) =>
    each(
      outcomes.filter(({ frames, isExpired }) => frames.length > 0 && !isExpired),
      ({ script, frames, status }) => {
        const events = frames.map(kindOf);
        const received = events.filter((event) => OUTCOMES.includes(event));
        const expected = ENDINGS[status ?? ''];
        if (events.at(-1) !== END) return `${script.name} (${String(status)}) ended with ${String(events.at(-1))}`;
        return received.join() === (expected ?? '')
          ? null
          : `${script.name} is ${String(status)} and told ${received.join(' and ') || 'no outcome'}`;
      },
    ),
  'a replay is what was told the first time': ({ outcomes, replays }) =>
    each(outcomes, ({ script, frames, isExpired, status }) => {
      const replay = replays.get(script.turnId);
      if (!replay || replay.isExpired || status === null) return null;
      const at = frames.findIndex((frame, index) => {
        const again = replay.frames[index];
        return !again || said(again) !== said(frame);
      });
      if (at >= 0) return `${script.name}: frame ${at + 1} is another one`;
      return isExpired || frames.length === 0 || replay.frames.length === frames.length
        ? null
        : `${script.name}: ${frames.length} frames were told, ${replay.frames.length} are kept`;
    }),
  'a completed turn has said what its model said': (found) =>
    each(found.outcomes, ({ script, status, frames, isExpired }) => {
      if (status !== 'COMPLETED') return null;
      const stored = textIn(found.messages, script.turnId);
      if (stored !== script.answer) return `${script.name}: the transcript has "${stored.slice(0, 60)}"`;
      const read = textOf(frames);
      return !isExpired && frames.length > 0 && read !== script.answer
        ? `${script.name}: its client read ${apart(read, script.answer)}`
        : null;
    }),
  'a session holds each of its turns once, in order': (found) => {
    const sessions = grouped(found.messages, ({ sessionId }) => sessionId);
    const gaps = [...sessions].flatMap(([id, messages]) =>
      messages.some(({ seq }, index) => seq !== index + 1)
        ? [`session ${id} has the numbers ${messages.map(({ seq }) => seq).join()}`]
        : [],
    );
    const counts = each(found.outcomes, (outcome) => {
      const row = rowOf(found, outcome);
      if (!row?.sessionId) return null;
      const text = (sessions.get(row.sessionId) ?? []).filter(({ turnId }) => turnId === row.turnId);
      const users = text.filter(({ role }) => role === 'user').length;
      const finals = text.filter(({ role, finishReason }) => role === 'assistant' && finishReason === 'stop').length;
      if (users !== 1) return `${outcome.script.name} has ${users} messages of its user`;
      return row.status === 'COMPLETED' && finals !== 1 ? `${outcome.script.name} has ${finals} final answers` : null;
    });
    return [...gaps, ...counts];
  },
  'a tool of the host is asked for once': ({ outcomes }) =>
    each(outcomes, ({ script, toolCalls }) => toolCalls.length > 1 && `${script.name}: ${toolCalls.length} calls`),
  'no call is paid twice, and none that was not made': (found) => {
    const calls = grouped(found.upstream, ({ name }) => name);
    return each(found.outcomes, (outcome) => {
      const { script } = outcome;
      const made = calls.get(script.name) ?? [];
      const paid = paidFor(found, outcome);
      if (paid.length > made.length) return `${script.name}: ${paid.length} debits for ${made.length} calls`;
      const whole = made.filter(({ ended }) => ended === 'whole').length;
      const complete = paid.filter((row) => row.outcome === 'completed').length;
      if (complete > whole) return `${script.name}: ${complete} whole calls are paid, ${whole} were made`;
      const wrong = paid.find(
        (row) =>
          row.estimated === false &&
          !made.some(
            (call) => call.promptTokens === row.promptTokens && call.completionTokens === row.completionTokens,
          ),
      );
      return wrong ? `${script.name}: ${wrong.tokens} tokens are paid for no call of that size` : null;
    });
  },
  'a completed turn is paid': (found) =>
    each(found.outcomes, (outcome) => {
      if (outcome.status !== 'COMPLETED') return null;
      const paid = paidFor(found, outcome).filter((row) => row.outcome === 'completed').length;
      const { name, modelCalls } = outcome.script;
      return paid < modelCalls && `${name}: ${paid} of ${modelCalls} calls are paid`;
    }),
  'the balance is the sum of the ledger, and nothing stays reserved': ({ ledger, account }) => {
    let balance = 0;
    const steps = ledger.flatMap(({ tokens, balanceAfter }, index) => {
      balance += tokens;
      return balance === balanceAfter ? [] : [`row ${index + 1} says ${balanceAfter} and makes ${balance}`];
    });
    return [
      ...steps,
      ...(balance === account.balance ? [] : [`the ledger makes ${balance}, the balance is ${account.balance}`]),
      ...(account.reserved === 0 ? [] : [`${account.reserved} tokens are reserved`]),
      ...(account.reservations === 0 ? [] : [`${account.reservations} reservations are left`]),
    ];
  },
  'a turn that has ended is not written again, and goes only where turns go': ({ changes }) => wrongChanges(changes),
  'no process ends by itself': ({ unexpectedEnds }) => [...unexpectedEnds],
} satisfies Record<string, (found: ChatFound) => string[]>;

export type ChatRule = keyof typeof rules;

/** Where two texts begin to differ. */
function apart(read: string, text: string): string {
  let at = 0;
  while (at < read.length && read[at] === text[at]) at += 1;
  const from = Math.max(0, at - 20);
  return `"${read.slice(from, at + 40)}" at ${from} of ${read.length}, not "${text.slice(from, at + 40)}"`;
}

const paidFor = (found: ChatFound, outcome: TurnOutcome): LedgerRow[] => {
  const row = rowOf(found, outcome);
  return found.ledger.filter(
    ({ type, turnId }) => type === 'SETTLEMENT' && turnId !== null && (turnId === row?.key || turnId === row?.turnId),
  );
};

const textIn = (messages: readonly MessageRow[], turnId: string): string =>
  messages
    .filter((message) => message.turnId === turnId && message.role === 'assistant')
    .flatMap(({ content }) => content.map(({ text }) => text ?? ''))
    .join('');

export const chatViolations = (found: ChatFound): Violation[] => violationsOf(rules, found);
