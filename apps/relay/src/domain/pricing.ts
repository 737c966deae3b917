import type { CompletionUsage } from '@switchyard/contracts';
import { CatalogueModel } from './catalogue';

export interface TokenCounts {
  promptTokens: number;
  completionTokens: number;
  estimated: boolean;
}

const PER = 1_000_000;
/** Prices are decimal numbers: nine digits behind the point keep sums of cents exact and hide binary noise. */
const round = (cost: number): number => Math.round(cost * 1e9) / 1e9;

export const costOf = (model: Pick<CatalogueModel, 'inputPrice' | 'outputPrice'>, counts: TokenCounts): number =>
  round((counts.promptTokens * model.inputPrice + counts.completionTokens * model.outputPrice) / PER);

export const usageOf = (model: CatalogueModel, counts: TokenCounts): CompletionUsage => ({
  promptTokens: counts.promptTokens,
  completionTokens: counts.completionTokens,
  totalTokens: counts.promptTokens + counts.completionTokens,
  cost: costOf(model, counts),
  estimated: counts.estimated,
});
