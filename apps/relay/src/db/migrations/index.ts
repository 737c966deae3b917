import { RelayBaseline1700000001000 } from './0001-baseline';
import { CostsOfTurns1700000002000 } from './0002-costs-of-turns';
import { LimitsAndBalances1700000003000 } from './0003-limits-and-balances';
import { LimitsWithoutEnd1700000004000 } from './0004-limits-without-end';
import { JournalsOfSettlements1700000005000 } from './0005-journals-of-settlements';
import { IdentityOfTheDatabase1700000006000 } from './0006-identity-of-the-database';

export const migrations = [
  RelayBaseline1700000001000,
  CostsOfTurns1700000002000,
  LimitsAndBalances1700000003000,
  LimitsWithoutEnd1700000004000,
  JournalsOfSettlements1700000005000,
  IdentityOfTheDatabase1700000006000,
];
