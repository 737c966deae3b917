import { CreateJobs1700000000001 } from './0001-create-jobs';
import { IndexJobAge1700000000002 } from './0002-job-age';
import { CreateReadySpaces1700000000003 } from './0003-ready-spaces';
import { CountJobs1700000000004 } from './0004-job-activity';
import { WaitForTurns1700000000005 } from './0005-waiting-jobs';
import { MeasureJobs1700000000006 } from './0006-job-bytes';
import { CountLostJobs1700000000007 } from './0007-lost-jobs';
import { CallbacksOfSpaces1700000000008 } from './0008-callbacks-of-spaces';
import { StopClocks1700000000009 } from './0009-stopped-clocks';
import { MovedClocks1700000000010 } from './0010-moved-clocks';

export const migrations = [
  CreateJobs1700000000001,
  IndexJobAge1700000000002,
  CreateReadySpaces1700000000003,
  CountJobs1700000000004,
  WaitForTurns1700000000005,
  MeasureJobs1700000000006,
  CountLostJobs1700000000007,
  CallbacksOfSpaces1700000000008,
  StopClocks1700000000009,
  MovedClocks1700000000010,
];
