import { NOT_AFFORDED } from './budget-errors';
import { defineCall } from '../define/define-contracts';
import { Nothing, PageRequest, listOf, pageOf } from '../define/common-shapes';
import { PreflightReply, PreflightRequest } from './completion';
import { EmbedReply, EmbedRequest } from './embedding';
import { CountTokensRequest, ModelById, ModelView, TokenCount } from './model-view';
import { KeyUsage } from '../key/key-limits';
import { LimitNoted, NoteReachedLimit } from './reached-limit';
import { OfSpaces, SpaceTotals } from './space-totals';
import {
  BalanceView,
  CreditBody,
  CreditTokens,
  KeyUsageQuery,
  LedgerRow,
  UsageGroupRow,
  UsageQuery,
} from './usage-view';

export const RelayCalls = {
  listModels: defineCall({
    subject: 'relay.list-models',
    request: Nothing,
    reply: listOf(ModelView),
    access: { scope: 'models:call' },
    callers: ['gateway'],
  }),
  getModel: defineCall({
    subject: 'relay.get-model',
    request: ModelById,
    reply: ModelView,
    errors: ['NOT_FOUND'],
    access: { scope: 'models:call' },
    callers: ['gateway', 'session', 'job'],
  }),
  countTokens: defineCall({
    subject: 'relay.count-tokens',
    request: CountTokensRequest,
    reply: TokenCount,
    errors: ['NOT_FOUND'],
    access: 'internal',
    callers: ['session'],
  }),
  /** Checks a call (unknown model, caps, balance) without opening or reserving anything. */
  preflight: defineCall({
    subject: 'relay.preflight',
    request: PreflightRequest,
    reply: PreflightReply,
    errors: ['NOT_FOUND', ...NOT_AFFORDED],
    access: 'internal',
    callers: ['agent'],
  }),
  embed: defineCall({
    subject: 'relay.embed',
    request: EmbedRequest,
    reply: EmbedReply,
    errors: ['NOT_FOUND', ...NOT_AFFORDED, 'RUNTIME_UNAVAILABLE', 'CONFLICT'],
    access: 'internal',
    callers: ['dataset'],
    timeoutMs: 60_000,
  }),
  /** For the event `limit.reached`. */
  noteReachedLimit: defineCall({
    subject: 'relay.note-reached-limit',
    request: NoteReachedLimit,
    reply: LimitNoted,
    access: 'internal',
    callers: ['gateway', 'key', 'agent', 'task', 'dataset', 'event-bus'],
  }),
  usage: defineCall({
    subject: 'relay.usage',
    request: UsageQuery,
    reply: listOf(UsageGroupRow),
    access: { scope: 'spaces:read' },
    callers: ['gateway'],
  }),
  keyUsage: defineCall({
    subject: 'relay.key-usage',
    request: KeyUsageQuery,
    reply: KeyUsage,
    access: { scope: 'keys:read' },
    callers: ['gateway'],
  }),
  balance: defineCall({
    subject: 'relay.balance',
    request: Nothing,
    reply: BalanceView,
    access: { scope: 'spaces:read' },
    callers: ['gateway'],
    http: {
      name: 'getBalance',
      method: 'GET',
      path: '/usage/balance',
      summary: 'The token balance of the Space',
      message: 'Balance.',
    },
  }),
  credit: defineCall({
    subject: 'relay.credit',
    request: CreditTokens,
    reply: LedgerRow,
    idempotent: 'body',
    access: { scope: 'spaces:write', role: 'OWNER' },
    callers: ['gateway'],
    http: {
      name: 'creditSpace',
      method: 'POST',
      path: '/usage/credits',
      status: 201,
      summary: 'Add tokens to the balance, or correct it',
      message: 'Balance changed.',
      body: CreditBody,
    },
  }),
  /** Adds tokens. The key service has checked the operator and the Space. */
  creditSpace: defineCall({
    subject: 'relay.credit-space',
    request: CreditTokens,
    reply: LedgerRow,
    idempotent: true,
    access: 'internal',
    callers: ['key'],
  }),
  spaceTotals: defineCall({
    subject: 'relay.space-totals',
    request: OfSpaces,
    reply: listOf(SpaceTotals),
    access: 'internal',
    callers: ['key'],
  }),
  ledger: defineCall({
    subject: 'relay.ledger',
    request: PageRequest,
    reply: pageOf(LedgerRow),
    access: { scope: 'spaces:read' },
    callers: ['gateway'],
    http: {
      name: 'listLedger',
      method: 'GET',
      path: '/usage/ledger',
      summary: 'Every change of the balance, newest first',
      message: 'Ledger.',
    },
  }),
};
