import type { Alert } from './alert';

/** A day, and two hours for the backup itself. */
const BACKUP_AGE_SECONDS = 26 * 3_600;

/** Alerts on metrics of others: kube-state-metrics of the cluster, and the command that makes backups. */
export const CLUSTER_ALERTS: readonly Alert[] = [
  {
    name: 'SwitchyardMigrationFailed',
    expr: 'max by (namespace, job_name) (kube_job_status_failed{job_name=~".*migrate.*",$here}) > 0',
    for: '0m',
    severity: 'critical',
    summary: 'The Job {{ $labels.job_name }} failed: new pods wait for its migrations.',
  },
  {
    name: 'SwitchyardAutoscalerAtMaximum',
    expr: 'max by (namespace, horizontalpodautoscaler) (kube_horizontalpodautoscaler_status_current_replicas{$here}) >= max by (namespace, horizontalpodautoscaler) (kube_horizontalpodautoscaler_spec_max_replicas{$here}) and on (namespace, horizontalpodautoscaler) kube_horizontalpodautoscaler_spec_max_replicas{$here} > kube_horizontalpodautoscaler_spec_min_replicas{$here}',
    for: '15m',
    severity: 'warning',
    summary:
      'The autoscaler {{ $labels.horizontalpodautoscaler }} has been at its maximum of {{ $value }} replicas for 15 minutes.',
  },
  {
    name: 'SwitchyardBackupOld',
    expr: `time() - max by (namespace) (switchyard_backup_last_success_timestamp_seconds{$here} or kube_cronjob_status_last_successful_time{cronjob=~".*backup.*",$here}) > ${BACKUP_AGE_SECONDS}`,
    for: '10m',
    severity: 'warning',
    summary: 'The last backup was made {{ $value | humanizeDuration }} ago.',
  },
];
