import { Injectable } from '@nestjs/common';
import type { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

type Count = typeof countTokens;

/** Long texts without spaces make a tokenizer slow: they are counted in slices, which is off by a token a slice at most. */
const SLICE = 4096;
/** What is beyond is extrapolated: a count must not hold up the calls of others. */
const EXACT_CHARACTERS = 262_144;
const PLAIN = { disallowedSpecial: new Set<string>() };

/** Counts tokens where no upstream did. The tables are loaded when they are first needed. */
@Injectable()
export class Tokenizer {
  private loading: Promise<Count> | undefined;

  async count(texts: readonly string[]): Promise<number> {
    if (texts.every((text) => text === '')) return 0;
    const count = await (this.loading ??= import('gpt-tokenizer/encoding/o200k_base').then(
      (encoding) => encoding.countTokens,
    ));
    let left = EXACT_CHARACTERS;
    let tokens = 0;
    for (const text of texts) {
      const exact = Math.min(text.length, Math.max(0, left));
      let counted = 0;
      for (let at = 0; at < exact; at += SLICE) counted += count(text.slice(at, Math.min(exact, at + SLICE)), PLAIN);
      left -= exact;
      tokens +=
        exact === text.length
          ? counted
          : exact > 0
            ? Math.ceil((counted * text.length) / exact)
            : Math.ceil(text.length / 4);
    }
    return tokens;
  }
}
