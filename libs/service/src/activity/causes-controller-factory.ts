import { Controller, Inject, type Type } from '@nestjs/common';
import {
  type CallContract,
  type CauseNode,
  type CausesQuery,
  type Ctx,
  type Items,
  type RecordToFind,
  requireSpace,
} from '@switchyard/contracts';
import { Database, type Read } from '@switchyard/database';
import { Handles } from '@switchyard/messaging';

/** Reads that need nothing of one another, and the nodes that their answers are. */
export interface CauseReads {
  reads: Read[];
  nodes: (answers: Record<string, unknown>[][]) => CauseNode[];
}

/** A service's nodes of cause trees. */
export interface OwnedCauses {
  /** Missing where no tree is asked for by a record of the service. */
  find?: (spaceId: string, id: string, userId: string | null) => CauseReads;
  list: (spaceId: string, query: CausesQuery) => CauseReads;
}

interface CauseCalls {
  find?: CallContract<RecordToFind, Items<CauseNode>>;
  list: CallContract<CausesQuery, Items<CauseNode>>;
}

/** Handlers of a service whose records are nodes of cause trees. Each call is one database round trip. */
export function causesController(calls: CauseCalls, owned: OwnedCauses): Type {
  const HandlesFind = calls.find ? Handles(calls.find) : () => undefined;

  @Controller()
  class CausesController {
    constructor(@Inject(Database) private readonly database: Database) {}

    @HandlesFind
    find({ id }: RecordToFind, ctx: Ctx): Promise<Items<CauseNode>> {
      return this.answer(ctx, owned.find?.(requireSpace(ctx), id, ctx.userId));
    }

    @Handles(calls.list)
    list(query: CausesQuery, ctx: Ctx): Promise<Items<CauseNode>> {
      return this.answer(ctx, owned.list(requireSpace(ctx), query));
    }

    private async answer(ctx: Ctx, reads: CauseReads | undefined): Promise<Items<CauseNode>> {
      return { items: reads ? reads.nodes(await this.database.read(ctx, reads.reads)) : [] };
    }
  }
  return CausesController;
}
