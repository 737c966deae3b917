export {
  LOSSES_COUNT_FOR,
  LOSSES_MAX,
  LostWork,
  PROCESS,
  REQUESTS,
  RENEW_SECONDS,
  SILENT_SECONDS,
  type LostWorkPage,
  type LostWorkRow,
  type EndedWorkers,
  type RunningWork,
  type EndedProcess,
  endedInOtherWork,
  isQuiet,
  setApart,
} from './lost-work';
export { noteEndedProcesses, processOf } from './ended-processes';
export { type RetryOutcome, notRetried } from './retry-outcome';
export { type LossOfWork, beginTrial, isLongSeries, isSeries, isTrial, tryLosses } from './trials';
