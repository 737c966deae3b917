import { CreateApplications1700000000001 } from './0001-applications';
import { CreateEmissions1700000000002 } from './0002-emissions';
import { CreateApplicationChanges1700000000003 } from './0003-application-changes';
import { IndexEmissionAge1700000000004 } from './0004-emission-age';
import { KeepFilterTypes1700000000005 } from './0005-filter-types';
import { KeepPayloadBytes1700000000006 } from './0006-payload-bytes';
import { CountEmissions1700000000007 } from './0007-emission-activity';
import { KeepRootsOfEmissions1700000000008 } from './0008-emission-roots';
import { IndexWaitingBySpace1700000000009 } from './0009-waiting-by-space';
import { NoteChangesOfApplications1700000000010 } from './0010-changes-one-at-a-time';
import { KeepWhatChangesLeave1700000000011 } from './0011-what-changes-leave';
import { LetUsersEmit1700000000012 } from './0012-emissions-by-users';
import { MarkOversizedSubscriptions1700000000013 } from './0013-oversized-subscriptions';
import { MarkOversizedManifests1700000000014 } from './0014-oversized-manifests';

export const migrations = [
  CreateApplications1700000000001,
  CreateEmissions1700000000002,
  CreateApplicationChanges1700000000003,
  IndexEmissionAge1700000000004,
  KeepFilterTypes1700000000005,
  KeepPayloadBytes1700000000006,
  CountEmissions1700000000007,
  KeepRootsOfEmissions1700000000008,
  IndexWaitingBySpace1700000000009,
  NoteChangesOfApplications1700000000010,
  KeepWhatChangesLeave1700000000011,
  LetUsersEmit1700000000012,
  MarkOversizedSubscriptions1700000000013,
  MarkOversizedManifests1700000000014,
];
