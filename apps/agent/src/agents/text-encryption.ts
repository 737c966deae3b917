import { Injectable } from '@nestjs/common';
import type { Ctx } from '@switchyard/contracts';
import { Encrypter, keyedFingerprint } from '@switchyard/service';
import { AgentConfig } from '../agent.config';
import { openText, sealText } from '../domain/encrypted-text';

/** Sealed values as texts, for columns of JSON. */
@Injectable()
export class TextEncryption {
  private readonly sealer: Encrypter;

  constructor(config: AgentConfig) {
    this.sealer = new Encrypter(config.DATA_KEY);
  }

  seal(text: string, context: string): string {
    return sealText(this.sealer, text, context);
  }

  open(sealed: string, context: string): string {
    return openText(this.sealer, sealed, context);
  }

  keyedFingerprint(ctx: Ctx): Ctx {
    return keyedFingerprint(ctx, this.sealer.digestKeys);
  }
}
