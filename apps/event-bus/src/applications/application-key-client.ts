import { Injectable } from '@nestjs/common';
import { type Ctx, type IssueSystemKey, KeyCalls, type SystemKey } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';

/** The one key of an application, which the key service keeps. */
@Injectable()
export class ApplicationKeyClient {
  constructor(private readonly bus: Bus) {}

  issue(ctx: Ctx, application: IssueSystemKey): Promise<SystemKey> {
    return this.bus.call(KeyCalls.issueSystemKey, ctx, application);
  }

  /** A new value of the same key: the application's id of it stays valid, also if the caller fails. */
  async renew(ctx: Ctx, application: IssueSystemKey): Promise<SystemKey> {
    try {
      return await this.bus.call(KeyCalls.rotateSystemKey, ctx, { applicationId: application.applicationId });
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
      return this.issue(ctx, application);
    }
  }
}
