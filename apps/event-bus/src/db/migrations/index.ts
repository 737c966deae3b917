import { CreateApplications1700000000001 } from './0001-applications';
import { CreateEmissions1700000000002 } from './0002-emissions';
import { CreateApplicationChanges1700000000003 } from './0003-application-changes';
import { IndexEmissionAge1700000000004 } from './0004-emission-age';
import { KeepFilterTypes1700000000005 } from './0005-filter-types';

export const migrations = [
  CreateApplications1700000000001,
  CreateEmissions1700000000002,
  CreateApplicationChanges1700000000003,
  IndexEmissionAge1700000000004,
  KeepFilterTypes1700000000005,
];
