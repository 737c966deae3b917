import { type StateChange, wrongChanges } from '../audit';
import { grouped } from '../grouped';
import { type KeyBooks, wrongBooks } from '../keys/key-books';
import { type Violation, violationsOf } from '../violations';
import { GIVEN_UP, tooManyGivenUp } from '../given-up';
import type { ApprovalOutcome } from './approval-client';
import type { ApprovedTool } from './approval-script';

/** Something that a tool did. */
export interface ToolEffect {
  /** Of the turn that asked for it. */
  name: string;
  tool: ApprovedTool;
  /** Of the arguments that it was done with. */
  digest: string;
}

export interface ToolAnswer {
  turnId: string;
  tool: string;
  text: string;
}

export interface ApprovalFound {
  outcomes: readonly ApprovalOutcome[];
  turns: readonly { turnId: string; status: string }[];
  effects: readonly ToolEffect[];
  answers: readonly ToolAnswer[];
  /** Security events of approvals, by interaction. */
  events: readonly { interactionId: string; digests: readonly string[] }[];
  keys: readonly KeyBooks[];
  /** Places in which the value of the secret was found. */
  canaries: readonly string[];
  /** Whether the secret has reached its server at all. */
  isSecretUsed: boolean;
  changes: readonly StateChange[];
  unexpectedEnds: readonly string[];
}

const FINAL = new Set(['COMPLETED', 'FAILED', 'CANCELLED']);
/** As a tool's error is told to the model. */
const TOOL_ERROR = /^[A-Z][A-Z_]+: /;

const each = <T>(items: readonly T[], check: (item: T) => string | false | null | undefined): string[] =>
  items.flatMap((item) => check(item) || []);

const rules = {
  'every turn is one turn, and has come to the end that its user was told': (found) => {
    const rows = grouped(found.turns, ({ turnId }) => turnId);
    return each(found.outcomes, ({ script, status }) => {
      const [row, ...more] = rows.get(script.turnId) ?? [];
      if (status === GIVEN_UP && !row) return null;
      if (!row || more.length > 0) return `${script.name} is ${row ? more.length + 1 : 0} turns`;
      if (row.status !== status) return `${script.name} is ${row.status}; its user was told ${String(status)}`;
      return script.decision === 'leave' || FINAL.has(row.status) ? null : `${script.name} is ${row.status}`;
    });
  },
  'few requests are given up': ({ outcomes }) => tooManyGivenUp(outcomes),
  'nothing takes effect that was not approved': ({ outcomes, effects }) => {
    const approved = new Set(
      outcomes.flatMap(({ script, shown }) =>
        shown.filter(({ name }) => script.approved.includes(name)).map(({ name }) => `${script.name} ${name}`),
      ),
    );
    return each(effects, ({ name, tool }) => !approved.has(`${name} ${tool}`) && `${name}: ${tool}`);
  },
  'what takes effect is what was shown': ({ outcomes, effects }) => {
    const shown = new Set(
      outcomes.flatMap(({ script, shown }) => shown.map(({ digest }) => `${script.name} ${digest}`)),
    );
    return each(effects, ({ name, tool, digest }) => !shown.has(`${name} ${digest}`) && `${name}: ${tool}`);
  },
  'an approved call takes effect once': ({ outcomes, effects, answers }) => {
    const done = grouped(effects, ({ name, tool }) => `${name} ${tool}`);
    const received = grouped(answers, ({ turnId, tool }) => `${turnId} ${tool}`);
    return outcomes.flatMap(({ script, status }) =>
      each(script.approved, (tool) => {
        const times = done.get(`${script.name} ${tool}`)?.length ?? 0;
        if (times > 1) return `${script.name}: ${tool} ${times} times`;
        if (status !== 'COMPLETED') return null;
        const answer = received.get(`${script.turnId} ${tool}`) ?? [];
        if (answer.length !== 1) return `${script.name}: ${answer.length} answers of ${tool}`;
        // Where the runtime was lost under a call, whether it took effect is not known, and the model is told so.
        const isReported = !TOOL_ERROR.test(answer[0]?.text ?? '');
        return isReported && times === 0 && `${script.name}: ${tool} was told as done and was not`;
      }),
    );
  },
  'a denied call is told as denied, and one that was never shown as failed': ({ outcomes, answers }) => {
    const received = grouped(answers, ({ turnId, tool }) => `${turnId} ${tool}`);
    return outcomes.flatMap(({ script, shown, status }) =>
      each(
        script.tools.filter((tool) => !script.approved.includes(tool)),
        (tool) => {
          if (status !== 'COMPLETED') return null;
          const texts = (received.get(`${script.turnId} ${tool}`) ?? []).map(({ text }) => text);
          // With the key service away its server could not be asked, and the turn has no such tool.
          const expected = shown.some(({ name }) => name === tool) ? /^DENIED: / : TOOL_ERROR;
          return texts.length === 1 && expected.test(texts[0] ?? '')
            ? null
            : `${script.name}: ${tool} was told as ${texts.join()}`;
        },
      ),
    );
  },
  'who decided what is in the security events, once': ({ outcomes, events }) => {
    const written = grouped(events, ({ interactionId }) => interactionId);
    return each(outcomes, ({ script, interactionId, shown, status }) => {
      if (status !== 'COMPLETED' || interactionId === null) return null;
      const found = written.get(interactionId) ?? [];
      if (found.length !== 1) return `${script.name}: ${found.length} events`;
      return shown.every(({ digest }) => found[0]?.digests.includes(digest)) ? null : `${script.name}: other digests`;
    });
  },
  'keys are charged what the ledger says, hold nothing, and stay within their limits': ({ keys }) => wrongBooks(keys),
  'the secret reaches its server and shows nowhere': ({ canaries, isSecretUsed }) => [
    ...canaries,
    ...(isSecretUsed ? [] : ['the server was never called with it']),
  ],
  'a turn that has ended is not written again, and goes only where turns go': ({ changes }) => wrongChanges(changes),
  'no process ends by itself': ({ unexpectedEnds }) => [...unexpectedEnds],
} satisfies Record<string, (found: ApprovalFound) => string[]>;

export type ApprovalRule = keyof typeof rules;

export const approvalViolations = (found: ApprovalFound): Violation[] => violationsOf(rules, found);
