import { defineCall } from '../define/define-contracts';
import { Nothing, listOf, pageOf } from '../define/common-shapes';
import { CreditBody, LedgerRow } from '../relay/usage-view';
import {
  ChangeOperatorSpace,
  ChangeOperatorSpaceBody,
  CreateOperatorSpace,
  CreditSpace,
  ListOperatorSpaces,
  OperatorSpaceView,
  ReportTotals,
  SpaceIds,
  SuspendSpace,
  SuspendSpaceBody,
} from './operator-spaces';
import { SpaceName } from './operators';
import { InSpace } from './spaces';

export const OperatorSpaceCalls = {
  listOperatorSpaces: defineCall({
    subject: 'key.list-operator-spaces',
    request: ListOperatorSpaces,
    reply: pageOf(OperatorSpaceView),
    access: { operator: 'operator:read' },
    callers: ['gateway'],
    http: {
      name: 'listOperatorSpaces',
      method: 'GET',
      path: '/operator/spaces',
      summary: 'List all Spaces',
      description: 'The usage figures are at most a minute old.',
      message: 'Spaces.',
      query: ListOperatorSpaces,
    },
  }),
  createOperatorSpace: defineCall({
    subject: 'key.create-operator-space',
    request: CreateOperatorSpace,
    reply: OperatorSpaceView,
    errors: ['CONFLICT'],
    idempotent: true,
    access: { operator: 'operator:write' },
    callers: ['gateway'],
    http: {
      name: 'createOperatorSpace',
      method: 'POST',
      path: '/operator/spaces',
      status: 201,
      summary: 'Create a Space for an owner',
      description:
        'Its OWNER is an account (`userId`), a new account of the Space (`email` and `password`), or is invited (`email`): then the answer shows the token of the invitation, this once.',
      message: 'Space created.',
    },
  }),
  getOperatorSpace: defineCall({
    subject: 'key.get-operator-space',
    request: InSpace,
    reply: OperatorSpaceView,
    access: { operator: 'operator:read' },
    callers: ['gateway'],
    http: {
      name: 'getOperatorSpace',
      method: 'GET',
      path: '/operator/spaces/:spaceId',
      summary: 'Read a Space',
      message: 'The Space.',
    },
  }),
  changeOperatorSpace: defineCall({
    subject: 'key.change-operator-space',
    request: ChangeOperatorSpace,
    reply: OperatorSpaceView,
    access: { operator: 'operator:write' },
    callers: ['gateway'],
    http: {
      name: 'updateOperatorSpace',
      method: 'PATCH',
      path: '/operator/spaces/:spaceId',
      summary: 'Change the name, the ceilings or the payer of a Space',
      description:
        "A ceiling below current usage deletes nothing. The smaller of the ceiling and the Space's own setting applies.",
      message: 'Space changed.',
      body: ChangeOperatorSpaceBody,
    },
  }),
  suspendSpace: defineCall({
    subject: 'key.suspend-space',
    request: SuspendSpace,
    reply: OperatorSpaceView,
    access: { operator: 'operator:write' },
    callers: ['gateway'],
    http: {
      name: 'suspendOperatorSpace',
      method: 'POST',
      path: '/operator/spaces/:spaceId/suspend',
      summary: 'Suspend a Space',
      description:
        "Rejects the Space's credentials, starts nothing new, and pauses running work at its next step. Work continues after `resume`; nothing is lost.",
      message: 'Space suspended.',
      body: SuspendSpaceBody,
    },
  }),
  resumeSpace: defineCall({
    subject: 'key.resume-space',
    request: InSpace,
    reply: OperatorSpaceView,
    access: { operator: 'operator:write' },
    callers: ['gateway'],
    http: {
      name: 'resumeOperatorSpace',
      method: 'POST',
      path: '/operator/spaces/:spaceId/resume',
      summary: 'Resume a suspended Space',
      message: 'Space resumed.',
    },
  }),
  creditSpace: defineCall({
    subject: 'key.credit-space',
    request: CreditSpace,
    reply: LedgerRow,
    idempotent: 'body',
    access: { operator: 'operator:write' },
    callers: ['gateway'],
    http: {
      name: 'creditOperatorSpace',
      method: 'POST',
      path: '/operator/spaces/:spaceId/credits',
      status: 201,
      summary: 'Add tokens to the balance of a Space, or correct it',
      message: 'Balance changed.',
      body: CreditBody,
    },
  }),
  /** Totals of other services, sent only for Spaces that changed. */
  reportTotals: defineCall({
    subject: 'key.report-totals',
    request: ReportTotals,
    reply: Nothing,
    access: 'internal',
    callers: ['relay', 'dataset'],
  }),
  /** For lists of Spaces made by another service. */
  nameSpaces: defineCall({
    subject: 'key.name-spaces',
    request: SpaceIds,
    reply: listOf(SpaceName),
    access: 'internal',
    callers: ['gateway'],
  }),
};
