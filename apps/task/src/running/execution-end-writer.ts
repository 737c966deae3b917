import { Injectable } from '@nestjs/common';
import { Database } from '@switchyard/database';
import { Batcher } from '@switchyard/concurrency';
import { jsonBytes } from '@switchyard/kernel';
import { LeaseLost } from '@switchyard/service';
import { type Finished, LeasedExecutionsRepository } from '../db/leased-executions.repository';
import { latestPerExecution } from '../domain/latest-per-execution';

const BATCHES = { items: 64, bytes: 4 * 1024 * 1024, retriesOneByOne: true, gathers: true };

/** Writes the ends of executions: those of one Space that end together share a commit. */
@Injectable()
export class ExecutionEndWriter {
  private readonly batches = new Batcher<Finished, boolean>(
    (finished, spaceId) => this.store(spaceId, finished),
    BATCHES,
  );

  constructor(
    private readonly database: Database,
    private readonly leased: LeasedExecutionsRepository,
  ) {}

  /** Throws `LeaseLost` if another worker has the execution: then nothing was written. */
  async write(finished: Finished): Promise<void> {
    const bytes = finished.steps.reduce((sum, step) => sum + step.bytes, jsonBytes(finished.ending.output));
    if (!(await this.batches.add(finished.hold.spaceId, finished, bytes))) throw new LeaseLost();
  }

  private async store(spaceId: string, finished: Finished[]): Promise<boolean[]> {
    const worker = finished[0]?.hold.worker ?? '';
    const newest = latestPerExecution(finished);
    const written = await this.leased.finish(this.database, spaceId, worker, [...newest.values()]);
    return finished.map((each) => newest.get(each.hold.id) === each && written.has(each.hold.id));
  }
}
