import type { TestPlatform } from '@switchyard/testing';
import path from 'node:path';
import { projectRoot } from '../../tools/launcher/project-root';
import type { Failpoint } from '@switchyard/kernel';
import type { ApprovalRule } from './approvals/approval-invariants';
import type { ChatRule } from './chat/chat-invariants';
import type { Fault } from './fault';
import type { PlannedFault } from './fault-plan';
import type { EmissionRule } from './invariants';
import type { JobRule } from './jobs/job-invariants';
import type { KeyRule } from './keys/key-invariants';

export type RunKind = 'emissions' | 'chat' | 'jobs' | 'approvals' | 'disk';

interface Change {
  from: string;
  to: string;
  /** In how many places of the file; any other number ends the control. */
  places: number;
}

/** The rules that each kind of run is held against. */
interface RulesOf {
  emissions: EmissionRule;
  chat: ChatRule | KeyRule;
  jobs: JobRule | KeyRule;
  approvals: ApprovalRule;
  disk: EmissionRule;
}

/** Any fault of the code may end a process: this says nothing about a guard, so no control may name it. */
type RuleOf<Kind extends RunKind> = Exclude<RulesOf[Kind], 'no process ends by itself'>;

/** A guard, and how a run comes to be without it. The product has no switch for this. */
interface GuardOf<Kind extends RunKind> {
  run: Kind;
  /** Rules that the guard protects: without it one of them must break; other rules do not count. */
  breaks: readonly [RuleOf<Kind>, ...RuleOf<Kind>[]];
  /** The database undoes what the guard writes, by so many triggers. */
  sql?: { triggers: number; text: string };
  /** The guard is taken out of the code while these processes load it. */
  code?: { services: readonly string[]; file: string; changes: readonly Change[] };
  /**
   * The schedule in which its absence shows, where the load alone does not do it. Without one, the faults of any run
   * do.
   */
  faults?: readonly PlannedFault[];
}

type Guard = { [Kind in RunKind]: GuardOf<Kind> }[RunKind];

/** And for the sweep behind it: who wakes then finds its work in other hands. */
const LONGER_THAN_A_LEASE_MS = 40_000;

const after = (afterAccepted: number, fault: Fault): PlannedFault => ({ afterAccepted, fault });
const killed = (target: string, name: Failpoint, atHit = 1): PlannedFault =>
  after(0, { kind: 'failpoint', target, name, action: 'kill', atHit });
const frozen = (target: string, name: Failpoint): PlannedFault =>
  after(0, { kind: 'freeze', target, name, atHit: 1, forMs: LONGER_THAN_A_LEASE_MS });

const guards = {
  /**
   * Consumers forget what they have seen, and so do runs. A run has its delivery's id, so the primary key would refuse
   * a second one: a repeat gets another.
   */
  inbox: {
    run: 'emissions',
    breaks: ['each delivery has exactly one execution of its task'],
    sql: {
      triggers: 2,
      text: `
      create or replace function task.forget() returns trigger language plpgsql as $$ begin new.message_id := gen_random_uuid(); return new; end $$;
      create or replace trigger forget before insert on task.inbox for each row execute function task.forget();
      create or replace function task.forget_delivery() returns trigger language plpgsql as $$ begin
          if exists (select 1 from task.executions e where e.space_id = new.space_id and e.id = new.id) then
            new.id := gen_random_uuid();
            new.delivery_id := gen_random_uuid();
          end if;
          return new; end $$;
      create or replace trigger forget_delivery before insert on task.executions for each row execute function task.forget_delivery()`,
    },
  },
  /** An outbox event is sent once and never repeated. */
  outbox: {
    run: 'emissions',
    breaks: ['nothing waits once all is quiet'],
    sql: {
      triggers: 1,
      text: `
      create or replace function event_bus.once_only() returns trigger language plpgsql as $$ begin new.locked_until := 'infinity'; return new; end $$;
      create or replace trigger once_only before insert or update on event_bus.outbox for each row execute function event_bus.once_only()`,
    },
  },
  /** An event leaves the outbox when the carrier has it, and waits for no word of its consumers. */
  confirmation: {
    run: 'emissions',
    breaks: ['each delivery has exactly one execution of its task'],
    code: {
      services: ['event-bus'],
      file: 'messaging/src/events/outbox-runner.js',
      changes: [
        { from: 'results[index] === true && row.pending.length === 0', to: 'results[index] === true', places: 1 },
      ],
    },
    // The carrier has them, and those that should take them in have them unread; then neither has anything.
    faults: [
      after(60, { kind: 'pause', target: 'task', forMs: 15_000 }),
      after(60, { kind: 'pause', target: 'task-2', forMs: 15_000 }),
      after(400, { kind: 'nats-wiped' }),
      after(400, { kind: 'kill', target: 'task' }),
      after(400, { kind: 'kill', target: 'task-2' }),
    ],
  },
  /** Keys of emissions mean nothing. */
  idempotency: {
    run: 'emissions',
    breaks: ['no key has two envelopes'],
    sql: {
      triggers: 1,
      text: `
      create or replace function event_bus.any_key() returns trigger language plpgsql as
        $$ begin new.idempotency_key := new.idempotency_key || ' ' || gen_random_uuid()::text; return new; end $$;
      create or replace trigger any_key before insert on event_bus.emissions for each row execute function event_bus.any_key()`,
    },
  },
  /** A former worker can write to an execution for ever. */
  'execution-fence': {
    run: 'emissions',
    breaks: ['an execution that has ended is not written again, and goes only where executions go'],
    code: {
      services: ['task', 'task-2'],
      file: 'task/src/db/leased-executions.repository.js',
      changes: [
        {
          from: 'and epoch = $3 and worker = $4 and ${RUNS}',
          to: 'and $3::int is not null and $4::text is not null',
          places: 2,
        },
        {
          from: 'and e.epoch = ($4::int[])[${POSITION}] and e.worker = $2 and ${RUNS}',
          to: 'and $4::int[] is not null and $2::text is not null',
          places: 1,
        },
      ],
    },
    faults: [frozen('task', 'task.ending')],
  },
  /** Leases of a dead worker are never released. */
  'execution-lease': {
    run: 'emissions',
    breaks: ['nothing waits once all is quiet'],
    code: {
      services: ['task', 'task-2'],
      file: 'service/src/leases/crash-suspects-sql.js',
      changes: [
        {
          from: '((held.lease_until < (select clock_timestamp()) and (held.worker = $2 or $3)) or held.worker = any($1::text[]))',
          to: '$1::text[] is null and $3::boolean is null',
          places: 1,
        },
      ],
    },
    faults: [killed('task', 'task.ending')],
  },
  'turn-fence': {
    run: 'chat',
    breaks: ['a turn that has ended is not written again, and goes only where turns go'],
    code: {
      services: ['session'],
      file: 'session/src/db/turns.repository.js',
      changes: [
        {
          from: "and epoch = $3 and ${hasStatus('RUNNING')} and owner is not null",
          to: 'and $3::int is not null',
          places: 4,
        },
      ],
    },
  },
  /** A turn stays with the agent that once took it. */
  'turn-lease': {
    run: 'chat',
    breaks: ['every turn of a client is one turn, and has come to one end'],
    code: {
      services: ['session'],
      file: 'session/src/db/turn-leases.repository.js',
      changes: [
        {
          from: '(held.owner = any($1) or (held.lease_until < (select clock_timestamp()) and ($2 or ${WAS_STOPPED})))',
          to: '$1::text[] is null and $2::boolean is null',
          places: 1,
        },
      ],
    },
  },
  /** The log takes a frame as often as it is sent. */
  'frame-id': {
    run: 'chat',
    breaks: ['the log keeps what was written once'],
    code: {
      services: ['agent', 'agent-2'],
      file: 'messaging/src/turn-frame-log/frame-publisher.js',
      changes: [{ from: `'Nats-Msg-Id'`, to: `'Not-Msg-Id'`, places: 1 }],
    },
    faults: [after(5, { kind: 'pause', target: 'nats', forMs: 8000 })],
  },
  /** Reservations of a dead relay are not settled. */
  'relay-sweeper': {
    run: 'chat',
    breaks: ['the balance is the sum of the ledger, and nothing stays reserved'],
    code: {
      services: ['relay', 'relay-2'],
      file: 'relay/src/metering/orphaned-reservation-sweeper.js',
      changes: [{ from: 'if (orphans.length + leases.length === 0) break;', to: 'break;', places: 1 }],
    },
    faults: [killed('relay', 'relay.reserved', 3)],
  },
  /** A call's reservation is not released at its end. */
  'lease-sum': {
    run: 'chat',
    breaks: ['the balance is the sum of the ledger, and nothing stays reserved'],
    code: {
      services: ['relay', 'relay-2'],
      file: 'relay/src/db/ledger-batch.sql.js',
      changes: [
        {
          from: 'sum(moved) as moved',
          to: 'sum(greatest(0, moved)) as moved',
          places: 1,
        },
      ],
    },
    faults: [],
  },
  'job-fence': {
    run: 'jobs',
    breaks: ['a job that has ended is not written again, and goes only where jobs go'],
    code: {
      services: ['job', 'job-2'],
      file: 'job/src/db/leased-jobs.repository.js',
      changes: [
        {
          from: "and j.epoch = $3 and ${(0, _jobsrepository.isLeasedBy)('$4')} and",
          to: 'and $3::int is not null and $4::text is not null and',
          places: 1,
        },
      ],
    },
    faults: [frozen('job', 'job.turn-done')],
  },
  'job-lease': {
    run: 'jobs',
    breaks: ['a job comes to one end, and its submitter sees it'],
    code: {
      services: ['job', 'job-2'],
      file: 'service/src/leases/crash-suspects-sql.js',
      changes: [
        {
          from: '((held.lease_until < (select clock_timestamp()) and (held.worker = $2 or $3)) or held.worker = any($1::text[]))',
          to: '$1::text[] is null and $3::boolean is null',
          places: 1,
        },
      ],
    },
  },
  /** Each worker that takes a job begins a turn of its own. */
  'job-turn': {
    run: 'jobs',
    breaks: ['an attempt is one turn, whoever carries it out'],
    code: {
      services: ['job', 'job-2'],
      file: 'job/src/running/job-attempt.js',
      changes: [{ from: '(0, _jobidentity.turnIdOf)(claimed)', to: '(0, _kernel.newId)()', places: 1 }],
    },
    faults: [killed('job', 'job.turn-done')],
  },
  /** Any tool runs when the model calls it. */
  approval: {
    run: 'approvals',
    breaks: ['nothing takes effect that was not approved'],
    faults: [],
    code: {
      services: ['agent', 'agent-2'],
      file: 'agent/src/domain/approval-matching.js',
      changes: [{ from: `if (call.name === 'ask_user') return false;`, to: 'return false;', places: 1 }],
    },
  },
  /** A tool server's response is stored and shown unmasked. */
  'secret-mask': {
    run: 'approvals',
    breaks: ['the secret reaches its server and shows nowhere'],
    faults: [],
    code: {
      services: ['agent', 'agent-2'],
      file: 'agent/src/mcp/mcp-tools.service.js',
      changes: [{ from: 'await mask.json(textOf(result))', to: 'textOf(result)', places: 1 }],
    },
  },
  /** Each call of a key is let in, regardless of its use. */
  'key-limit': {
    run: 'approvals',
    breaks: ['keys are charged what the ledger says, hold nothing, and stay within their limits'],
    faults: [],
    code: {
      services: ['relay', 'relay-2'],
      file: 'relay/src/db/ledger-batch.sql.js',
      changes: [{ from: 'b.key_daily_used + b.key_reserved < b.key_daily', to: 'b.key_reserved >= 0', places: 1 }],
    },
  },
  'job-key': {
    run: 'jobs',
    breaks: ['a key is one job, however often it was sent'],
    faults: [],
    sql: {
      triggers: 1,
      text: `
      create or replace function job.any_key() returns trigger language plpgsql as
        $$ begin new.key := new.key || ' ' || gen_random_uuid()::text; return new; end $$;
      create or replace trigger any_key before insert on job.idempotency for each row execute function job.any_key()`,
    },
  },
} as const satisfies Record<string, Guard>;

export type Control = keyof typeof guards;
export const CONTROLS = Object.keys(guards) as Control[];
export const runOf = (control: Control): RunKind => guards[control].run;
/** The rules of which one must break without this guard. */
export const rulesBrokenWithout = (control: Control): readonly string[] => guards[control].breaks;

/** The code that a control removes, if it works that way. */
export function codeChanges(control: Control): { file: string; changes: readonly Change[] } | undefined {
  const guard: Guard = guards[control];
  return guard.code;
}

/** Environment variables by process, for a run without this guard. */
export function settingsWithout(control: Control | undefined): (service: string) => Record<string, string> {
  const guard: Guard | undefined = control && guards[control];
  const code = guard?.code;
  if (!code) return () => ({});
  const { services, ...change } = code;
  const settings = {
    NODE_OPTIONS: `--require ${path.join(projectRoot, 'proof/faults/without-guard.cjs')}`,
    SWITCHYARD_TEST_WITHOUT: JSON.stringify(change),
  };
  return (service) => (services.includes(service) ? settings : {});
}

/** Null where the faults of any run will do. */
export function planWithout(control: Control | undefined): readonly PlannedFault[] | null {
  const guard: Guard | undefined = control && guards[control];
  return guard?.faults ?? null;
}

export async function sabotage(platform: TestPlatform, control: Control | undefined): Promise<void> {
  const guard: Guard | undefined = control && guards[control];
  if (!guard?.sql) return;
  const before = await triggersOf(platform);
  await platform.database.query(guard.sql.text);
  const made = (await triggersOf(platform)) - before;
  if (made !== guard.sql.triggers)
    throw new Error(`${control} made ${made} triggers, the control says ${guard.sql.triggers}`);
}

async function triggersOf(platform: TestPlatform): Promise<number> {
  const [row] = await platform.database.query<{ n: number }>(
    'select count(*)::int as n from pg_trigger where not tgisinternal',
  );
  return row?.n ?? 0;
}
