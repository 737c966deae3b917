import type { CompletionUsage } from '@switchyard/contracts';
import { roundedCost } from '@switchyard/kernel';
import { CatalogueModel } from './catalogue';

export interface TokenCounts {
  promptTokens: number;
  completionTokens: number;
  estimated: boolean;
}

const PER = 1_000_000;

export const costOf = (model: Pick<CatalogueModel, 'inputPrice' | 'outputPrice'>, counts: TokenCounts): number =>
  roundedCost((counts.promptTokens * model.inputPrice + counts.completionTokens * model.outputPrice) / PER);

export const usageOf = (model: CatalogueModel, counts: TokenCounts): CompletionUsage => ({
  promptTokens: counts.promptTokens,
  completionTokens: counts.completionTokens,
  totalTokens: counts.promptTokens + counts.completionTokens,
  cost: costOf(model, counts),
  estimated: counts.estimated,
});
