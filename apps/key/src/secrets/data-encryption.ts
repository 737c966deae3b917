import { Injectable } from '@nestjs/common';
import { Encrypter } from '@switchyard/service';
import { KeyConfig } from '../key.config';

/** Encrypts what this service must store and read back. */
@Injectable()
export class DataEncryption extends Encrypter {
  constructor(config: KeyConfig) {
    super(config.DATA_KEY);
  }
}
