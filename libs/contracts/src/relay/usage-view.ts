import { KeyLimits } from '../key/key-limits';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';

export const USAGE_GROUPS = ['day', 'model', 'agent', 'user', 'key', 'source'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** A day, or a moment with its time zone. */
const WHEN = f.text({
  max: 40,
  pattern: '^\\d{4}-\\d{2}-\\d{2}(?:T\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d{2}:\\d{2}))?$',
  allows: 'must be a day, such as 2027-01-31, or a time with its zone, such as 2027-01-31T12:00:00Z',
});

export class UsageQuery {
  @Field(WHEN, { optional: true, description: 'A day (UTC) or a moment; included.' }) from?: string;
  @Field(WHEN, { optional: true, description: 'A day (UTC) or a moment; excluded.' }) to?: string;
  @Field(f.oneOf(USAGE_GROUPS), { optional: true, description: 'Grouping of the rows.' }) groupBy?: UsageGroup;
}

export class UsageGroupRow {
  @Field(f.text(), { nullable: true, description: 'The value that these calls have in common.' }) group!: string | null;
  @Field(f.int()) calls!: number;
  @Field(f.int()) promptTokens!: number;
  @Field(f.int()) completionTokens!: number;
  @Field(f.int()) tokens!: number;
  @Field(f.number()) cost!: number;
}

@Described('Token balance of a Space.')
export class BalanceView {
  @Field(f.int(), { description: 'Tokens left.' }) balance!: number;
  @Field(f.int({ min: 0 }), { description: 'Held for calls that are under way.' }) reserved!: number;
  @Field(f.int(), {
    nullable: true,
    description: 'Balance below which model calls are rejected; null for the default of the platform.',
  })
  minimumBalance!: number | null;
  @Field(f.int({ min: 0 }), { description: 'Used since midnight UTC.' }) dailyUsed!: number;
  @Field(f.int(), { nullable: true, description: 'Most tokens per day; null for no cap.' }) dailyCap!: number | null;
  @Field(f.time(), { description: 'When dailyUsed starts again at 0.' }) resetsAt!: string;
}

export class KeyUsageQuery {
  @Field(f.id()) keyId!: string;
  @Field(f.object(() => KeyLimits)) limits!: KeyLimits;
}

export const LEDGER_TYPES = ['CREDIT', 'SETTLEMENT', 'CORRECTION'] as const;
export type LedgerType = (typeof LEDGER_TYPES)[number];

@Described('A change of the balance.')
export class LedgerRow {
  @Field(f.id()) id!: string;
  @Field(f.oneOf(LEDGER_TYPES), { description: 'Kind of the change.' }) type!: LedgerType;
  @Field(f.int(), { description: 'Signed: what this entry added to the balance.' }) tokens!: number;
  @Field(f.int(), { description: 'Balance after the change.' }) balanceAfter!: number;
  @Field(f.text(), { nullable: true, description: 'Note of a credit; null for none.' }) note!: string | null;
  @Field(f.text(), { nullable: true, description: 'Source of the model call; null for credits.' }) source!:
    | string
    | null;
  @Field(f.id(), { nullable: true, description: 'Id of the agent; null if none was involved.' }) agentId!:
    | string
    | null;
  @Field(f.text(), { nullable: true, description: 'Id of the model; null for credits.' }) model!: string | null;
  @Field(f.text(), { nullable: true, description: 'Id of the API key; null if none was used.' }) keyId!: string | null;
  @Field(f.id(), { nullable: true, description: 'Id of the user; null if none is known.' }) userId!: string | null;
  @Field(f.id(), { nullable: true, description: 'Id of the turn; null if none was involved.' }) turnId!: string | null;
  @Field(f.time()) createdAt!: string;
}

export const CREDIT_LIMIT = 1_000_000_000_000;

export class CreditTokens {
  @Field(f.int({ min: -CREDIT_LIMIT, max: CREDIT_LIMIT }), {
    description: 'Negative: a correction, which may bring the balance below 0.',
  })
  tokens!: number;
  @Field(f.text({ max: 500 }), { optional: true }) note?: string;
}

@Described('Tokens to add to a balance, or to subtract.')
export class CreditBody {
  @Field(f.int({ min: -CREDIT_LIMIT, max: CREDIT_LIMIT }), {
    description: 'Negative: a correction, which may bring the balance below 0.',
    example: 100000,
  })
  tokens!: number;
  @Field(f.text({ max: 500 }), { optional: true, description: 'Note for the ledger.' }) note?: string;
  @Field(f.text({ min: 1, max: 255 }), {
    optional: true,
    description: 'In place of the Idempotency-Key header; this one wins.',
  })
  idempotencyKey?: string;
}
