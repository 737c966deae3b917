import { Injectable, PipeTransform } from '@nestjs/common';
import { invalid, isId } from '@switchyard/kernel';
import type { ArgumentMetadata } from '@nestjs/common';

/** A UUID in a path, in lower case as the database writes it. */
@Injectable()
export class IdPipe implements PipeTransform<string, string> {
  transform(value: string, metadata: ArgumentMetadata): string {
    if (!isId(value)) throw invalid(metadata.data ?? 'id', 'must be a UUID');
    return value.toLowerCase();
  }
}
