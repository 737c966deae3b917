import type { CarriedCtx } from '@switchyard/contracts';

export interface AnnouncedRow {
  id: string;
  name: string;
  at: string;
  ctx: CarriedCtx;
  data: unknown;
  orderKey: string | null;
  pending: string[];
}

export type StoredRow = AnnouncedRow & { epoch: number };
