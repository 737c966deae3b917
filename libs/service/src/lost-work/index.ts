export { lostWorkController } from './lost-work-controller';
export { PoisonedWork, type WorkKind } from './poisoned-work';
export { RunningWorkMarks } from './running-work-marks';
