import { defineCall } from '../define/contracts';
import { Nothing, PageRequest, listOf, pageOf } from '../define/shapes';
import { PreflightReply, PreflightRequest } from './completion';
import { EmbedReply, EmbedRequest } from './embedding';
import { CountTokensRequest, ModelById, ModelView, TokenCount } from './model-view';
import { KeyUsage } from '../key/key-limits';
import { BalanceView, CreditTokens, KeyUsageQuery, LedgerRow, UsageGroupRow, UsageQuery } from './usage-view';

const REFUSALS = [
  'REQUEST_TOO_LARGE',
  'INSUFFICIENT_TOKENS',
  'BELOW_MINIMUM_BALANCE',
  'DAILY_LIMIT_EXCEEDED',
  'MONTHLY_LIMIT_EXCEEDED',
] as const;

export const RelayCalls = {
  listModels: defineCall({
    subject: 'relay.list-models',
    request: Nothing,
    reply: listOf(ModelView),
    callers: ['gateway', 'agent', 'session', 'dataset'],
  }),
  getModel: defineCall({
    subject: 'relay.get-model',
    request: ModelById,
    reply: ModelView,
    errors: ['NOT_FOUND'],
    callers: ['gateway', 'agent', 'session', 'dataset'],
  }),
  countTokens: defineCall({
    subject: 'relay.count-tokens',
    request: CountTokensRequest,
    reply: TokenCount,
    callers: ['agent', 'session'],
  }),
  /** The refusals of a call (unknown model, caps, balance) before anything is opened or reserved. */
  preflight: defineCall({
    subject: 'relay.preflight',
    request: PreflightRequest,
    reply: PreflightReply,
    errors: ['NOT_FOUND', ...REFUSALS],
    callers: ['agent', 'session'],
  }),
  embed: defineCall({
    subject: 'relay.embed',
    request: EmbedRequest,
    reply: EmbedReply,
    errors: ['NOT_FOUND', ...REFUSALS, 'RUNTIME_UNAVAILABLE'],
    callers: ['agent', 'dataset'],
    timeoutMs: 60_000,
  }),
  usage: defineCall({
    subject: 'relay.usage',
    request: UsageQuery,
    reply: listOf(UsageGroupRow),
    callers: ['gateway'],
  }),
  keyUsage: defineCall({
    subject: 'relay.key-usage',
    request: KeyUsageQuery,
    reply: KeyUsage,
    callers: ['gateway'],
  }),
  balance: defineCall({ subject: 'relay.balance', request: Nothing, reply: BalanceView, callers: ['gateway'] }),
  credit: defineCall({
    subject: 'relay.credit',
    request: CreditTokens,
    reply: LedgerRow,
    errors: ['IDEMPOTENCY_CONFLICT'],
    callers: ['gateway'],
  }),
  ledger: defineCall({ subject: 'relay.ledger', request: PageRequest, reply: pageOf(LedgerRow), callers: ['gateway'] }),
};
