import { type CallContract, type StreamContract, errorsOf } from '@switchyard/contracts';
import { toAppError } from '@switchyard/kernel';
import type { BusOptions } from '../options';

/** Detects errors that the operation's contract does not declare, which is a bug. */
export class UndeclaredErrors {
  private readonly reported = new Set<string>();

  constructor(private readonly options: Pick<BusOptions, 'isProduction' | 'log'>) {}

  /**
   * The error for the caller. In production the original, and the bug is logged once for each contract and code;
   * otherwise a failure, so that tests fail.
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
