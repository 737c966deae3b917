import type { Alert } from './alert';

/** Of alerts that begin with something else than a log. */
const OTHERS: Readonly<Record<string, string>> = {
  SwitchyardServiceMissing: 'kubectl -n switchyard get deploy,pods,jobs',
  SwitchyardServiceRestarts: 'kubectl -n switchyard logs deploy/<service> --previous',
  SwitchyardDeadLetters: 'npm run operator -- dead-letters',
  SwitchyardPoisonedWork: 'npm run operator -- poisoned',
  SwitchyardMigrationFailed: 'kubectl -n switchyard logs job/<job_name>',
  SwitchyardAutoscalerAtMaximum: 'kubectl -n switchyard describe hpa <horizontalpodautoscaler>',
  SwitchyardBackupOld: 'kubectl -n switchyard get cronjobs,jobs',
};

/** The command with which a runbook begins to look: it shows the reason. The page has a table for other installations. */
export const firstLookOf = ({ name, log }: Alert): string =>
  OTHERS[name] ?? `kubectl -n switchyard logs deploy/${log ?? '<service>'} --since=15m`;
