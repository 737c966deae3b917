import { Datasets1700000000001 } from './0001-datasets';
import { RecordVectors1700000000002 } from './0002-record-vectors';
import { RecordTables1700000000003 } from './0003-record-tables';
import { SpacedText1700000000004 } from './0004-spaced-text';
import { VectorTables1700000000005 } from './0005-vector-tables';
import { ImportJobs1700000000006 } from './0006-import-jobs';
import { TurnsOfSpaces1700000000007 } from './0007-turns-of-spaces';
import { NoteRecordWrites1700000000008 } from './0008-record-writes';
import { ImportInPieces1700000000009 } from './0009-imports-in-pieces';
import { HiddenSince1700000000010 } from './0010-hidden-since';
import { EmbeddingErrors1700000000011 } from './0011-embedding-errors';
import { KeepRecordWritesByWeek1700000000012 } from './0012-record-writes-by-week';
import { RowWords1700000000013 } from './0013-row-words';
import { BytesOfRecords1700000000014 } from './0014-bytes-of-records';
import { LargestRecord1700000000015 } from './0015-largest-record';
import { OpenImports1700000000016 } from './0016-open-imports';
import { EmbeddingLosses1700000000017 } from './0017-embedding-losses';
import { SuspectTexts1700000000018 } from './0018-suspect-texts';
import { ImportEpochs1700000000019 } from './0019-import-epochs';

export const migrations = [
  Datasets1700000000001,
  RecordVectors1700000000002,
  RecordTables1700000000003,
  SpacedText1700000000004,
  VectorTables1700000000005,
  ImportJobs1700000000006,
  TurnsOfSpaces1700000000007,
  NoteRecordWrites1700000000008,
  ImportInPieces1700000000009,
  HiddenSince1700000000010,
  EmbeddingErrors1700000000011,
  KeepRecordWritesByWeek1700000000012,
  RowWords1700000000013,
  BytesOfRecords1700000000014,
  LargestRecord1700000000015,
  OpenImports1700000000016,
  EmbeddingLosses1700000000017,
  SuspectTexts1700000000018,
  ImportEpochs1700000000019,
];
