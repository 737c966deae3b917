import { type Alert, happened } from './alert';

/** Credentials that have less than this share of their time left are not renewed in time. */
const MIN_REMAINING = 0.1;
const EXPIRE = 'switchyard_nats_api_credentials_expire_timestamp_seconds{$here}';
const ISSUED = 'switchyard_nats_api_credentials_issued_timestamp_seconds{$here}';

/** Of the NATS server of services. Where the NATS API is off, none of these metrics is there. */
export const NATS_API_ALERTS: readonly Alert[] = [
  {
    name: 'SwitchyardNatsApiDown',
    expr: 'count by (namespace, service) (switchyard_nats_api_up{$here} == 0) > 0',
    for: '2m',
    severity: 'critical',
    summary: '{{ $value }} processes of {{ $labels.service }} cannot reach the NATS server of services.',
  },
  {
    name: 'SwitchyardNatsApiCredentialsExpire',
    expr: `min by (namespace, service, kind) ((${EXPIRE} - time()) / (${EXPIRE} - ${ISSUED})) < ${MIN_REMAINING}`,
    for: '0m',
    severity: 'warning',
    summary:
      'Credentials ({{ $labels.kind }}) of {{ $labels.service }} for the NATS server of services have {{ $value | humanizePercentage }} of their time left.',
  },
  {
    name: 'SwitchyardNatsApiStreamsUnread',
    expr: 'sum by (namespace) (increase(switchyard_nats_api_unread_streams_total{$here}[15m])) > 10',
    for: '0m',
    severity: 'warning',
    summary: '{{ $value | humanize }} streams over NATS ended because services confirmed no frames.',
    log: 'gateway',
  },
  {
    name: 'SwitchyardNatsApiFlooded',
    expr: happened('switchyard_nats_api_silenced_total{$here}', 'namespace', '15m'),
    for: '0m',
    severity: 'warning',
    summary:
      '{{ $value | humanize }} times an account of the NATS API lost its subscription because it sent too much in vain.',
    log: 'gateway',
  },
];
