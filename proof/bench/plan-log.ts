import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type TestPlatform, until } from '@switchyard/testing';
import { type ExplainedPlan, ofEachAnswer, plansIn } from './plan-text';

/** Until Postgres has written what it said last. */
const WRITTEN_MS = 200;
/** Longer than the usual pause between two rounds of a service. */
const IDLE_WATCH_MS = 10_000;
const REPEATS = 3;
const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_format': 'json',
};

/**
 * The plans of a service's own statements, with their parameters and on their connections: auto_explain writes them to
 * the log of Postgres. It makes statements slow, so it is on only after all has been measured.
 */
export class PlanLog {
  /** Texts of the statements that the service sends while it is asked nothing. */
  private readonly ofRounds = new Set<string>();

  private constructor(private readonly file: string) {}

  static async start({ database, state }: TestPlatform, service: string): Promise<PlanLog> {
    const login = new URL(state.databaseLogins[service] ?? '').username;
    const set = Object.entries(SETTINGS).map(([name, value]) => `alter role "${login}" set ${name} = '${value}';`);
    await database.query(`load 'auto_explain'; ${set.join(' ')}`);
    // A connection reads the settings of its login when it begins; the service opens new ones by itself.
    await database.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [login]);
    const plans = new PlanLog(path.join(state.home, 'logs/postgres.log'));
    await plans.watchRounds();
    return plans;
  }

  private async watchRounds(): Promise<void> {
    const from = this.size();
    await setTimeout(IDLE_WATCH_MS);
    for (const plan of plansIn(this.textFrom(from))) this.ofRounds.add(plan['Query Text']);
  }

  /**
   * The plan of the statement that read the most pages of those that answered; its text is empty where none was seen. The service's
   * own rounds write plans too: statements that it sends while nothing is asked do not count, nor do those that only some
   * of several answers met.
   */
  async of(ask: () => Promise<unknown>): Promise<string> {
    const answered = (): Promise<boolean> =>
      ask().then(
        () => true,
        () => false,
      );
    // The first one may meet a connection that was just ended.
    await until(answered, { timeoutMs: 30_000, everyMs: 200 });
    const answers: ExplainedPlan[][] = [];
    while (answers.length < REPEATS) answers.push(await this.plansOf(ask));
    return ofEachAnswer(answers);
  }

  private async plansOf(ask: () => Promise<unknown>): Promise<ExplainedPlan[]> {
    const from = this.size();
    await ask();
    await setTimeout(WRITTEN_MS);
    return plansIn(this.textFrom(from)).filter((plan) => !this.ofRounds.has(plan['Query Text']));
  }

  private size(): number {
    const file = openSync(this.file, 'r');
    try {
      return fstatSync(file).size;
    } finally {
      closeSync(file);
    }
  }

  private textFrom(from: number): string {
    const file = openSync(this.file, 'r');
    try {
      const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - from));
      readSync(file, bytes, 0, bytes.length, from);
      return bytes.toString('utf8');
    } finally {
      closeSync(file);
    }
  }
}
