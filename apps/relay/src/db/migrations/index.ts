import { CreateMoney1700000000001 } from './0001-create-money';
import { FindLedgerOfTurns1700000000002 } from './0002-ledger-of-turns';
import { LimitsOfKeys1700000000003 } from './0003-limits-of-keys';
import { Leases1700000000004 } from './0004-leases';
import { LedgerOnlyGrows1700000000005 } from './0005-ledger-only-grows';
import { TokensAhead1700000000006 } from './0006-tokens-ahead';
import { SumUpUsage1700000000007 } from './0007-usage-sums';
import { UseOfTheMonth1700000000008 } from './0008-use-of-the-month';
import { KeysOfKeys1700000000009 } from './0009-keys-of-keys';

export const migrations = [
  CreateMoney1700000000001,
  FindLedgerOfTurns1700000000002,
  LimitsOfKeys1700000000003,
  Leases1700000000004,
  LedgerOnlyGrows1700000000005,
  TokensAhead1700000000006,
  SumUpUsage1700000000007,
  UseOfTheMonth1700000000008,
  KeysOfKeys1700000000009,
];
