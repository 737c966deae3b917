import { Injectable } from '@nestjs/common';
import { Sealer } from '@switchyard/service';
import { KeyConfig } from '../key.config';

/** Encrypts what this service must store and read back. */
@Injectable()
export class DataEncryption extends Sealer {
  constructor(config: KeyConfig) {
    super(config.DATA_KEY);
  }
}
