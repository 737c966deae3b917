import { Client } from 'pg';
import type { PlatformState } from '@switchyard/testing';
import { latencyUs } from './measure';
import { answerMs } from './rows/relay-load';

/** Speed of the machine at the time of a run, without any code of ours. */
export interface Calibration {
  /** Microseconds of a row that is inserted and committed. */
  insertUs: number;
  /** Microseconds of a call of the simulator. */
  callUs: number;
}

const TIMES = 400;
/** Figures of machines that differ by more are not compared. */
const TOLERATED = 1.5;

export async function calibrate({ databaseUrl, simulatorUrl }: PlatformState): Promise<Calibration> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('create temporary table calibration (id serial primary key, note text)');
    const insert = (): Promise<unknown> => client.query(`insert into calibration (note) values ('x')`);
    await latencyUs(TIMES, insert);
    const insertUs = await latencyUs(TIMES, insert);
    const direct = { url: simulatorUrl, headers: {} };
    await answerMs(direct, TIMES);
    return { insertUs, callUs: (await answerMs(direct, TIMES)) * 1000 };
  } finally {
    await client.end();
  }
}

/** Whether figures of both can be compared. */
export const isAlike = (one: Calibration, other: Calibration): boolean =>
  [one.insertUs / other.insertUs, one.callUs / other.callUs].every(
    (ratio) => ratio < TOLERATED && ratio > 1 / TOLERATED,
  );
