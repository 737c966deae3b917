import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';

const TOKENS = f.int({ min: 0 });
const REQUESTS = f.int({ min: 0, max: 1_000_000 });
const MODELS = f.list(f.text({ min: 1, max: 200 }), { max: 100 });
const AGENTS = f.list(f.id(), { max: 100 });

const SHOWN = {
  dailyTokens: 'Tokens a day (UTC).',
  monthlyTokens: 'Tokens a calendar month (UTC).',
  requestsPerMinute: 'Requests a minute.',
  models: 'Models of the relay that the key may call; an empty list allows none.',
  agents: 'Agents that the key may call, by id; an empty list allows none.',
};

@Described('Limits of a key besides its scopes. A missing limit is unlimited; 0 and an empty list allow nothing.')
export class KeyLimits {
  @Field(TOKENS, { optional: true, description: SHOWN.dailyTokens }) dailyTokens?: number;
  @Field(TOKENS, { optional: true, description: SHOWN.monthlyTokens }) monthlyTokens?: number;
  @Field(REQUESTS, { optional: true, description: SHOWN.requestsPerMinute }) requestsPerMinute?: number;
  @Field(MODELS, { optional: true, description: SHOWN.models }) models?: string[];
  @Field(AGENTS, { optional: true, description: SHOWN.agents }) agents?: string[];
}

/** Counted limits of the key that created this key. */
export class MakerLimits {
  @Field(f.id()) keyId!: string;
  @Field(TOKENS, { optional: true }) dailyTokens?: number;
  @Field(TOKENS, { optional: true }) monthlyTokens?: number;
  @Field(REQUESTS, { optional: true }) requestsPerMinute?: number;
}

/** For the services that enforce a key's limits. */
export class CountedLimits extends KeyLimits {
  @Field(f.list(f.object(() => MakerLimits)), {
    optional: true,
    description: 'The keys that it was made by, the nearest first: what it uses counts there as well.',
  })
  makers?: MakerLimits[];
  @Field(f.list(f.text()), { optional: true, description: 'Of a NATS account: the applications that it emits for.' })
  applications?: string[];
}

@Described('Given limits are set, null removes one, others stay.')
export class ChangeKeyLimits {
  @Field(TOKENS, { optional: true, nullable: true, description: SHOWN.dailyTokens }) dailyTokens?: number | null;
  @Field(TOKENS, { optional: true, nullable: true, description: SHOWN.monthlyTokens }) monthlyTokens?: number | null;
  @Field(REQUESTS, { optional: true, nullable: true, description: SHOWN.requestsPerMinute })
  requestsPerMinute?: number | null;
  @Field(MODELS, { optional: true, nullable: true, description: SHOWN.models }) models?: string[] | null;
  @Field(AGENTS, { optional: true, nullable: true, description: SHOWN.agents }) agents?: string[] | null;
}

export class LimitsOfKey {
  @Field(f.id()) keyId!: string;
}

@Described('Tokens used of one limit.')
export class KeyTokenUse {
  @Field(f.int({ min: 0 }), { description: 'Tokens used.' }) used!: number;
  @Field(f.int({ min: 0 }), { description: 'Held by calls that run.' }) reserved!: number;
  @Field(f.int({ min: 0 }), { nullable: true, description: 'Null: no limit.' }) cap!: number | null;
  @Field(f.time(), { description: 'Time at which the count is reset.' }) resetsAt!: string;
}

@Described('Tokens that a key has used of its limits.')
export class KeyUsage {
  @Field(f.object(() => KeyTokenUse), { description: 'Tokens of the current day.' }) dailyTokens!: KeyTokenUse;
  @Field(f.object(() => KeyTokenUse), { description: 'Tokens of the current month.' }) monthlyTokens!: KeyTokenUse;
}
