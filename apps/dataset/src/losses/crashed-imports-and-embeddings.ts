import { Injectable } from '@nestjs/common';
import type { ImportFailure } from '@switchyard/contracts';
import { type EndedWorkers, LOSSES_MAX, type LossOfWork, type Tx, tryLosses } from '@switchyard/database';
import { isWorkerDead, PoisonedWork, workerName } from '@switchyard/service';
import { ImportQueueRepository, type ReleasedImport } from '../db/import-queue.repository';
import { IMPORT, ONE_SUSPECT_AT_A_TIME, TRIED, UNDO } from '../db/sql/crash-suspects-sql';
import { type EmbeddingError, VectorsRepository } from '../db/vectors.repository';

export const TEXT = 'embedding';

const IMPORT_GIVEN_UP: ImportFailure = {
  code: 'RUNTIME_UNAVAILABLE',
  message: 'The import was given up: the process that wrote it ended twice. Nothing was imported.',
};
const UNDO_GIVEN_UP: ImportFailure = {
  code: 'RUNTIME_UNAVAILABLE',
  message:
    'Nothing was imported, but the process that removed what was written ended twice. An operator can have the rest removed.',
};
const TEXT_GIVEN_UP: EmbeddingError = {
  code: 'RUNTIME_UNAVAILABLE',
  message: 'The text was given up: the process that embedded it ended twice. An operator can have it tried again.',
};

/**
 * Imports and texts whose process ended. They are counted together: a process works on both, and what ended it is known
 * only if it had one of them.
 */
@Injectable()
export class CrashedImportsAndEmbeddings {
  /** The worker of this process that embeds texts. */
  readonly embedder = workerName();
  /** The worker of this process that writes imports, and those that it writes now. */
  importer: { readonly worker: string; readonly leasedIds: readonly string[] } = { worker: '', leasedIds: [] };

  constructor(
    private readonly queue: ImportQueueRepository,
    private readonly vectors: VectorsRepository,
    private readonly poisoned: PoisonedWork,
  ) {}

  /** Says how many workers, here and elsewhere, have work of one of the two kinds. */
  async count(tx: Tx): Promise<number> {
    const rows = await tx.query<{ worker: string }>(
      `select worker from imports where worker is not null and phase in ('RUNNING', 'WRITING', 'UNDOING')
       union select worker from record_vectors where worker is not null and state = 'PENDING'`,
    );
    if (rows.length === 0) return 0;
    await tx.run(ONE_SUSPECT_AT_A_TIME);
    const ended = rows.map(({ worker }) => worker).filter(isWorkerDead);
    const isSilenceLoss = this.poisoned.marks.silence.mayCount();
    const imports = await this.countImports(tx, { ended, isSilenceLoss });
    const losses = imports.map(({ isSuspect, isInnocent }) => ({ isSuspect, isBlamed: !isInnocent }));
    losses.push(...(await this.countTexts(tx, { ended, own: this.embedder, isSilenceLoss })));
    await tryLosses(tx, TRIED, losses);
    return rows.length;
  }

  private async countImports(tx: Tx, { ended, isSilenceLoss }: Omit<EndedWorkers, 'own'>): Promise<ReleasedImport[]> {
    const { worker: own, leasedIds } = this.importer;
    const released = await this.queue.releaseLost(tx, { ended, own, isSilenceLoss }, leasedIds);
    const counted = released.filter(({ isLoss }) => isLoss);
    for (const { id, spaceId, isInnocent, isUndo } of counted) {
      const kind = isUndo ? UNDO : IMPORT;
      const [row] = await this.poisoned.lost.lose(tx, { kind, ids: [id], wereAlone: !isInnocent });
      this.poisoned.countLoss(IMPORT, 1);
      if (!row || row.losses < LOSSES_MAX) continue;
      await (isUndo ? this.queue.giveUndoUp(tx, id, UNDO_GIVEN_UP) : this.queue.giveUp(tx, id, IMPORT_GIVEN_UP));
      await this.poisoned.note(tx, [{ ...row, kind: IMPORT, spaceId }]);
    }
    await this.poisoned.lost.noteEnded(tx, counted);
    return counted;
  }

  private async countTexts(tx: Tx, workers: EndedWorkers): Promise<LossOfWork[]> {
    const released = await this.vectors.releaseEnded(tx, workers, TEXT_GIVEN_UP);
    const counted = released.filter(({ isLoss }) => isLoss);
    for (const { spaceId, recordId, losses } of counted.filter(({ isGivenUp }) => isGivenUp))
      await this.poisoned.note(tx, [{ kind: TEXT, id: recordId, spaceId, losses }]);
    await this.poisoned.lost.noteEnded(tx, counted);
    return counted.map(({ isSuspect, isInnocent }) => ({ isSuspect, isBlamed: !isInnocent }));
  }
}
