import { Injectable, PipeTransform } from '@nestjs/common';
import { isNatsAccountId } from '@switchyard/contracts';
import { invalid } from '@switchyard/kernel';
import type { ArgumentMetadata } from '@nestjs/common';

/** The id of a NATS account in a path. */
@Injectable()
export class AccountIdPipe implements PipeTransform<string, string> {
  transform(value: string, metadata: ArgumentMetadata): string {
    if (!isNatsAccountId(value)) throw invalid(metadata.data ?? 'id', 'must be 22 letters and digits');
    return value;
  }
}
