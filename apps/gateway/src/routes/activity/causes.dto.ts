import { CAUSE_KINDS, type CauseKind, Described, Field, f } from '@switchyard/contracts';

@Described('A record of a tree of causes. Records that the caller may not see are `hidden`.')
export class ShownCause {
  @Field(f.text(), { description: 'Unique within the answer.' }) key!: string;
  @Field(f.text(), { nullable: true, description: 'Null for the root alone.' }) parentKey!: string | null;
  @Field(f.oneOf(CAUSE_KINDS), { description: 'Kind of the record.' }) kind!: CauseKind;
  @Field(f.text(), { nullable: true, description: 'Null where the caller may not see it.' }) id!: string | null;
  @Field(f.bool(), { optional: true, description: 'True where the caller may not see it.' }) hidden?: boolean;
  @Field(f.text(), { optional: true, nullable: true }) name?: string | null;
  @Field(f.text(), { optional: true, nullable: true, description: 'Status of the record.' }) status?: string | null;
  @Field(f.time(), { optional: true, nullable: true }) startedAt?: string | null;
  @Field(f.time(), { optional: true, nullable: true }) finishedAt?: string | null;
  @Field(f.id(), { optional: true, nullable: true, description: 'Of a turn.' }) agentId?: string | null;
  @Field(f.id(), { optional: true, nullable: true, description: 'Of a turn; null where it has no session.' })
  sessionId?: string | null;
  @Field(f.int(), { optional: true, nullable: true, description: 'Of the node and all below it.' })
  tokens?: number | null;
  @Field(f.number(), { optional: true, nullable: true, description: 'Cost of the model calls of this record.' }) cost?:
    | number
    | null;
}

@Described('Tokens and cost of a whole tree of causes.')
export class CauseTotals {
  @Field(f.int(), { description: 'Tokens of the model calls.' }) tokens!: number;
  @Field(f.number(), { description: 'Cost of the model calls.' }) cost!: number;
}

@Described('The tree of causes of a record.')
export class CauseTree {
  @Field(f.text(), { description: 'The key of the node that all goes back to.' }) root!: string;
  @Field(f.list(f.object(() => ShownCause)), { description: 'Records of the tree, parents before children.' })
  nodes!: ShownCause[];
  @Field(f.object(() => CauseTotals), { description: 'Total that the ledger charged.' })
  totals!: CauseTotals;
  @Field(f.bool(), { description: 'Whether there are more nodes than the answer shows.' }) truncated!: boolean;
}
