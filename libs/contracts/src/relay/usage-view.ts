import { KeyLimits } from '../key/key-limits';
import { Field } from '../fields/field';
import { f } from '../fields/spec';

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
  @Field(f.oneOf(USAGE_GROUPS), { optional: true }) groupBy?: UsageGroup;
}

export class UsageGroupRow {
  @Field(f.text(), { nullable: true, description: 'The value that these calls have in common.' }) group!: string | null;
  @Field(f.int()) calls!: number;
  @Field(f.int()) promptTokens!: number;
  @Field(f.int()) completionTokens!: number;
  @Field(f.int()) tokens!: number;
  @Field(f.number()) cost!: number;
}

export class BalanceView {
  @Field(f.int()) balance!: number;
  @Field(f.int({ min: 0 }), { description: 'Held for calls that are under way.' }) reserved!: number;
  @Field(f.int(), { nullable: true }) minimumBalance!: number | null;
  @Field(f.int({ min: 0 }), { description: 'Used since midnight UTC.' }) dailyUsed!: number;
  @Field(f.int(), { nullable: true }) dailyCap!: number | null;
  @Field(f.time(), { description: 'When dailyUsed starts again at 0.' }) resetsAt!: string;
}

export class KeyUsageQuery {
  @Field(f.id()) keyId!: string;
  @Field(f.object(() => KeyLimits)) limits!: KeyLimits;
}

export const LEDGER_TYPES = ['CREDIT', 'SETTLEMENT', 'CORRECTION'] as const;
export type LedgerType = (typeof LEDGER_TYPES)[number];

export class LedgerRow {
  @Field(f.id()) id!: string;
  @Field(f.oneOf(LEDGER_TYPES)) type!: LedgerType;
  @Field(f.int(), { description: 'Signed: what this entry added to the balance.' }) tokens!: number;
  @Field(f.int()) balanceAfter!: number;
  @Field(f.text(), { nullable: true }) note!: string | null;
  @Field(f.text(), { nullable: true }) source!: string | null;
  @Field(f.id(), { nullable: true }) agentId!: string | null;
  @Field(f.text(), { nullable: true }) model!: string | null;
  @Field(f.text(), { nullable: true }) keyId!: string | null;
  @Field(f.id(), { nullable: true }) userId!: string | null;
  @Field(f.id(), { nullable: true }) turnId!: string | null;
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

export class CreditBody {
  @Field(f.int({ min: -CREDIT_LIMIT, max: CREDIT_LIMIT }), {
    description: 'Negative: a correction, which may bring the balance below 0.',
    example: 100000,
  })
  tokens!: number;
  @Field(f.text({ max: 500 }), { optional: true }) note?: string;
  @Field(f.text({ min: 1, max: 255 }), {
    optional: true,
    description: 'In place of the Idempotency-Key header; this one wins.',
  })
  idempotencyKey?: string;
}
