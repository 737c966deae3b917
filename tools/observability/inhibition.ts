/** While the cause fires, alerts that follow from it are not sent. */
export interface Inhibition {
  cause: string;
  effects: readonly string[];
  /** Labels in which both agree. */
  equal: readonly string[];
}

const SLOW_AND_FAILING = ['SwitchyardErrors', 'SwitchyardErrorsPersist', 'SwitchyardSlow'];
const WAITING = [
  'SwitchyardOutboxStuck',
  'SwitchyardEmissionsPending',
  'SwitchyardExecutionsWait',
  'SwitchyardJobsWait',
];
const FAILING = ['SwitchyardWorkerFails', 'SwitchyardLeasesLost', 'SwitchyardDeadLetters'];

export const INHIBITIONS: readonly Inhibition[] = [
  {
    cause: 'SwitchyardPostgresAway',
    effects: [
      ...SLOW_AND_FAILING,
      ...WAITING,
      ...FAILING,
      'SwitchyardApprovalsUnrecorded',
      'SwitchyardConnectionsShort',
      'SwitchyardJournalFails',
      'SwitchyardPoolRefuses',
      'SwitchyardServiceRestarts',
      'SwitchyardSettlementsWait',
    ],
    equal: ['namespace'],
  },
  {
    cause: 'SwitchyardNatsAway',
    effects: [
      ...SLOW_AND_FAILING,
      ...WAITING,
      ...FAILING,
      'SwitchyardBusPartsFull',
      'SwitchyardFramesWait',
      'SwitchyardGatewayWaits',
    ],
    equal: ['namespace'],
  },
  { cause: 'SwitchyardServiceMissing', effects: [...SLOW_AND_FAILING, ...WAITING], equal: ['namespace'] },
  // It names the process. Where there is no process that could be asked, it does not fire.
  { cause: 'SwitchyardServiceDown', effects: ['SwitchyardServiceMissing'], equal: ['namespace', 'service'] },
  { cause: 'SwitchyardErrors', effects: ['SwitchyardErrorsPersist'], equal: ['namespace'] },
  { cause: 'SwitchyardUpstreamDenies', effects: ['SwitchyardUpstreamFails'], equal: ['namespace', 'upstream'] },
  {
    cause: 'SwitchyardEventStreamFilling',
    effects: ['SwitchyardOutboxStuck', 'SwitchyardEmissionsPending'],
    equal: ['namespace'],
  },
];

/** The configuration of Alertmanager, without a receiver of its own: the operator names where alerts go. */
export const alertmanagerConfig = (): object => ({
  route: {
    receiver: 'operator',
    group_by: ['namespace', 'alertname'],
    group_wait: '30s',
    group_interval: '5m',
    repeat_interval: '4h',
    routes: [{ matchers: ['severity="critical"'], receiver: 'operator', repeat_interval: '1h' }],
  },
  inhibit_rules: INHIBITIONS.map(({ cause, effects, equal }) => ({
    source_matchers: [`alertname="${cause}"`],
    target_matchers: [`alertname=~"${effects.join('|')}"`],
    equal: [...equal],
  })),
  receivers: [{ name: 'operator' }],
});
