import { Injectable } from '@nestjs/common';
import { CountTokensRequest, Ctx, Items, ModelView, TokenCount } from '@switchyard/contracts';
import { CatalogueModel } from '../domain/catalogue';
import { getModel } from '../domain/upstream-candidates';
import { measure, textsOf, nonTextTokens } from '../domain/prompt-estimate';
import { Tokenizer } from '../tokenizer/tokenizer';
import { CatalogueStore } from './catalogue-store';

@Injectable()
export class ModelsService {
  constructor(
    private readonly catalogue: CatalogueStore,
    private readonly tokenizer: Tokenizer,
  ) {}

  list(): Items<ModelView> {
    return { items: [...this.catalogue.current.models.values()].map((model) => this.viewOf(model)) };
  }

  get(id: string): ModelView {
    return this.viewOf(getModel(this.catalogue.current, id));
  }

  async count(ctx: Ctx, request: CountTokensRequest): Promise<TokenCount> {
    const perText = await this.tokenizer.countEach(ctx.spaceId, request.texts ?? []);
    const messages = request.messages ?? [];
    const inMessages = (await this.tokenizer.count(ctx.spaceId, textsOf(messages))) + nonTextTokens(measure(messages));
    return { tokens: perText.reduce((sum, tokens) => sum + tokens, inMessages), perText };
  }

  private viewOf(model: CatalogueModel): ModelView {
    const { defaultChat, defaultEmbedding } = this.catalogue.current;
    return {
      id: model.id,
      ownedBy: model.ownedBy,
      contextWindow: model.contextWindow,
      maxOutputTokens: model.maxOutputTokens,
      capabilities: [...model.capabilities],
      inputPrice: model.inputPrice,
      outputPrice: model.outputPrice,
      embeddingDimensions: model.embeddingDimensions,
      isDefault: model.id === defaultChat || model.id === defaultEmbedding,
    };
  }
}
