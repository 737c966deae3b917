import { Injectable } from '@nestjs/common';

/** Tells the scheduler of this process that a schedule is being made or changed here, and may be due soon. */
@Injectable()
export class ScheduleChanges {
  private listener: () => void = () => undefined;

  onChange(listener: () => void): void {
    this.listener = listener;
  }

  say(): void {
    this.listener();
  }
}
