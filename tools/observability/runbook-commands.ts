import type { Alert } from './alert';

const CLUSTER_ONLY: Readonly<Record<string, string>> = {
  SwitchyardMigrationFailed: [
    'kubectl -n switchyard logs job/<job_name>           # Kubernetes',
    'docker compose logs setup                           # Compose: the container that migrates',
    'npm start                                           # npm start: it migrates first, and says what fails',
  ].join('\n'),
  SwitchyardAutoscalerAtMaximum: [
    'kubectl -n switchyard describe hpa <horizontalpodautoscaler>   # Kubernetes',
    'docker stats --no-stream                                       # Compose, which has no autoscaler: who is busy',
    'top -o %CPU                                                    # npm start, likewise',
  ].join('\n'),
  SwitchyardBackupOld: [
    'kubectl -n switchyard get cronjobs,jobs              # Kubernetes: the CronJob of your backup',
    'crontab -l && ls -l backup/                          # Compose and npm start: your schedule, and its last result',
  ].join('\n'),
};

/** The commands with which a runbook begins to look: where the reason is written, in each installation. */
export function commandsOf({ name, log }: Alert): string {
  const special = CLUSTER_ONLY[name];
  if (special !== undefined) return fenced(special);
  const service = log ?? '<service>';
  const commands = [
    [`kubectl -n switchyard logs deploy/${service} --since=15m`, 'Kubernetes'],
    [`docker compose logs --since 15m ${service}`, 'Compose'],
    [`tail -n 200 .switchyard/logs/${service}.log`, 'npm start'],
  ] as const;
  const width = Math.max(...commands.map(([command]) => command.length));
  return fenced(commands.map(([command, installation]) => `${command.padEnd(width)}   # ${installation}`).join('\n'));
}

const fenced = (commands: string): string => `\`\`\`sh\n${commands}\n\`\`\`\n`;
