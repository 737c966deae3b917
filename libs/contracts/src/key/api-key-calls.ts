import { defineCall } from '../define/define-contracts';
import { ById, Nothing, pageOf } from '../define/common-shapes';
import {
  ApiKeyView,
  ApiKeyWithValue,
  CreateApiKey,
  IssueSystemKey,
  KeyValidity,
  ListApiKeys,
  OfApplication,
  RotateApiKey,
  RotateApiKeyBody,
  RotateSystemKey,
  SystemKey,
  UpdateApiKey,
  UpdateApiKeyBody,
  ValidateApiKey,
} from './api-keys';
import { CountedLimits, LimitsOfKey } from './key-limits';

/** API keys of programs and applications. */
export const ApiKeyCalls = {
  createApiKey: defineCall({
    subject: 'key.create-api-key',
    request: CreateApiKey,
    reply: ApiKeyWithValue,
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
    access: { scope: 'keys:write', role: 'MEMBER', givesRights: true },
    callers: ['gateway'],
    http: {
      name: 'createApiKey',
      method: 'POST',
      path: '/api-keys',
      status: 201,
      summary: 'Create an API key',
      description:
        'The answer shows the value, this once. A key cannot make a key that holds more, or lives longer, than itself; its own limits hold where it names none. `*` does not include `approvals:answer`.',
      message: 'API key created. Keep the value: it is not shown again.',
    },
  }),
  listApiKeys: defineCall({
    subject: 'key.list-api-keys',
    request: ListApiKeys,
    reply: pageOf(ApiKeyView),
    access: { scope: 'keys:read' },
    callers: ['gateway'],
    http: {
      name: 'listApiKeys',
      method: 'GET',
      path: '/api-keys',
      summary: 'List API keys',
      description: 'Your own; ADMIN and up see every key of the Space.',
      message: 'API keys.',
    },
  }),
  getApiKey: defineCall({
    subject: 'key.get-api-key',
    request: ById,
    reply: ApiKeyView,
    errors: ['NOT_FOUND'],
    access: { scope: 'keys:read' },
    callers: ['gateway'],
    http: {
      name: 'getApiKey',
      method: 'GET',
      path: '/api-keys/:keyId',
      summary: 'Read an API key',
      message: 'The API key.',
    },
  }),
  updateApiKey: defineCall({
    subject: 'key.update-api-key',
    request: UpdateApiKey,
    reply: ApiKeyView,
    errors: ['NOT_FOUND', 'CONFLICT'],
    access: { scope: 'keys:write', role: 'MEMBER', givesRights: true },
    callers: ['gateway'],
    http: {
      name: 'updateApiKey',
      method: 'PUT',
      path: '/api-keys/:keyId',
      summary: 'Change the name, description, expiry, scopes or limits of an API key',
      description:
        'Only the given fields change, each limit by itself; null removes a limit. Scopes can only shrink: more is 403, but for `approvals:answer`, which a person of at least the role of the key may add. ' +
        'A key cannot give another key, or itself, more than it has.',
      message: 'API key changed.',
      body: UpdateApiKeyBody,
    },
  }),
  /** Limits of a key, for the services that enforce them. A deleted key has none. */
  getKeyLimits: defineCall({
    subject: 'key.get-key-limits',
    request: LimitsOfKey,
    reply: CountedLimits,
    access: 'internal',
    callers: ['relay', 'agent', 'event-bus'],
  }),
  revokeApiKey: defineCall({
    subject: 'key.revoke-api-key',
    request: ById,
    reply: ApiKeyView,
    errors: ['NOT_FOUND'],
    access: { scope: 'keys:write', role: 'MEMBER', givesRights: true },
    callers: ['gateway'],
    http: {
      name: 'revokeApiKey',
      method: 'POST',
      path: '/api-keys/:keyId/revoke',
      summary: 'Revoke an API key',
      description:
        'Holds everywhere within a second, and ends the streams that the key opened. Revoking twice is no error.',
      message: 'API key revoked.',
    },
  }),
  rotateApiKey: defineCall({
    subject: 'key.rotate-api-key',
    request: RotateApiKey,
    reply: ApiKeyWithValue,
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
    access: { scope: 'keys:write', role: 'MEMBER', givesRights: true },
    callers: ['gateway'],
    http: {
      name: 'rotateApiKey',
      method: 'POST',
      path: '/api-keys/:keyId/rotate',
      summary: 'Give an API key a new value',
      description:
        'The old value lives on for `graceSeconds`, unless a further rotation gives it less: with 0, all earlier values end at once. In its grace it may not change keys or members: 403. The answer shows the new value, this once: ' +
        'a repeat with the same idempotency key rotates nothing and comes without it.',
      message: 'API key rotated. Keep the value: it is not shown again.',
      body: RotateApiKeyBody,
    },
  }),
  validateApiKey: defineCall({
    subject: 'key.validate-api-key',
    request: ValidateApiKey,
    reply: KeyValidity,
    access: { scope: 'keys:read' },
    callers: ['gateway'],
  }),

  /** Issues the only key of an application; the previous one is revoked. */
  issueSystemKey: defineCall({
    subject: 'key.issue-system-key',
    request: IssueSystemKey,
    reply: SystemKey,
    errors: ['CONFLICT'],
    access: 'internal',
    callers: ['event-bus'],
  }),
  rotateSystemKey: defineCall({
    subject: 'key.rotate-system-key',
    request: RotateSystemKey,
    reply: SystemKey,
    errors: ['NOT_FOUND'],
    access: 'internal',
    callers: ['event-bus'],
  }),
  revokeSystemKey: defineCall({
    subject: 'key.revoke-system-key',
    request: OfApplication,
    reply: Nothing,
    access: 'internal',
    callers: ['event-bus'],
  }),
};
