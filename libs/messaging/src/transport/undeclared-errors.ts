import { type CallContract, type StreamContract, errorsOf } from '@switchyard/contracts';
import { toAppError } from '@switchyard/kernel';
import type { BusOptions } from '../options';

/** Callers, documents and clients know the errors of an operation from its contract: another one is a defect. */
export class UndeclaredErrors {
  private readonly reported = new Set<string>();

  constructor(private readonly options: Pick<BusOptions, 'isProduction' | 'log'>) {}

  /**
   * What the caller is told in place of this error. In production that is the error itself, and the log has the defect,
   * once for each contract and code; elsewhere it is a failure, for a test to fail by.
   */
  checked(contract: CallContract | StreamContract, error: unknown): Error {
    const shown = toAppError(error);
    const { code } = shown;
    if (errorsOf(contract).has(code)) return shown;
    const defect = new Error(`${contract.subject} answered ${code}, which its contract does not declare`, {
      cause: error,
    });
    const name = `${contract.subject} ${code}`;
    if (!this.reported.has(name)) {
      this.reported.add(name);
      const fields = { err: defect, contract: contract.subject, code };
      this.options.log.error(fields, 'a defect: an error that its contract does not declare');
    }
    return this.options.isProduction ? shown : defect;
  }
}
