import { Injectable } from '@nestjs/common';
import { AppError } from '@switchyard/kernel';
import { Encrypter } from '@switchyard/service';
import { KeyConfig } from '../key.config';

/** Encrypts what this service must store and read back. */
@Injectable()
export class DataEncryption extends Encrypter {
  constructor(config: KeyConfig) {
    super(config.DATA_KEY);
  }

  /** Refuses with `problem` a value that cannot be decrypted, such as after the loss of a key. */
  openOrRefuse(sealed: Buffer, context: string, problem: string): string {
    try {
      return this.open(sealed, context);
    } catch (error) {
      throw new AppError('SECRET_UNREADABLE', problem, { cause: error });
    }
  }
}
