import { CreateIdentity1700000000001 } from './0001-create-identity';
import { CreateCredentials1700000000002 } from './0002-create-credentials';
import { CreateAuditLogs1700000000003 } from './0003-create-audit-logs';
import { AccountsOfSpaces1700000000004 } from './0004-accounts-of-spaces';
import { LetOldRowsGo1700000000005 } from './0005-let-old-rows-go';
import { CreateSecrets1700000000006 } from './0006-create-secrets';
import { LimitsOfKeys1700000000007 } from './0007-limits-of-keys';
import { MarkPasswordsOfOthers1700000000008 } from './0008-passwords-of-others';
import { LimitsOfEndedKeys1700000000009 } from './0009-limits-of-ended-keys';
import { LimitsStay1700000000010 } from './0010-limits-stay';
import { RepeatableRefreshes1700000000011 } from './0011-repeatable-refreshes';
import { SpacesOfPayers1700000000012 } from './0012-spaces-of-payers';
import { Operators1700000000013 } from './0013-operators';
import { SpaceTotals1700000000014 } from './0014-space-totals';
import { ScopesOfBefore1700000000015 } from './0015-scopes-of-before';
import { KeysOfKeys1700000000016 } from './0016-keys-of-keys';
import { EventsByActor1700000000017 } from './0017-events-by-actor';
import { CreditIntents1700000000018 } from './0018-credit-intents';
import { SpacesByPayer1700000000019 } from './0019-spaces-by-payer';
import { AnsweredCredits1700000000020 } from './0020-answered-credits';
import { SuspendedAt1700000000021 } from './0021-suspended-at';
import { LastSuspension1700000000022 } from './0022-last-suspension';

export const migrations = [
  CreateIdentity1700000000001,
  CreateCredentials1700000000002,
  CreateAuditLogs1700000000003,
  AccountsOfSpaces1700000000004,
  LetOldRowsGo1700000000005,
  CreateSecrets1700000000006,
  LimitsOfKeys1700000000007,
  MarkPasswordsOfOthers1700000000008,
  LimitsOfEndedKeys1700000000009,
  LimitsStay1700000000010,
  RepeatableRefreshes1700000000011,
  SpacesOfPayers1700000000012,
  Operators1700000000013,
  SpaceTotals1700000000014,
  ScopesOfBefore1700000000015,
  KeysOfKeys1700000000016,
  EventsByActor1700000000017,
  CreditIntents1700000000018,
  SpacesByPayer1700000000019,
  AnsweredCredits1700000000020,
  SuspendedAt1700000000021,
  LastSuspension1700000000022,
];
