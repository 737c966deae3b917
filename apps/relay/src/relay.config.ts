import { f } from '@switchyard/contracts';
import { DatabaseServiceConfig, Env } from '@switchyard/service';

export class RelayConfig extends DatabaseServiceConfig {
  @Env(f.text({ max: 4096 }), { default: '', reason: 'The catalogue of models (YAML); it must be there.' })
  MODELS_FILE!: string;

  @Env(f.text({ max: 4096 }), {
    default: '.',
    reason:
      'Without MODELS_FILE: the folder whose models.yaml is the catalogue while it is there. Otherwise the simulator is the only upstream.',
  })
  MODELS_FOLDER!: string;

  @Env(f.text({ max: 2048 }), {
    default: 'http://127.0.0.1:4010/v1',
    reason: 'The model simulator, which the built-in catalogue uses.',
  })
  SIMULATOR_URL!: string;

  @Env(f.int({ min: 0, max: 1_000_000_000_000 }), {
    default: 1_000_000,
    reason:
      'Initial tokens of a Space that an operator creates without `tokens`, and of Spaces from before this was recorded.',
  })
  INITIAL_SPACE_TOKENS!: number;

  @Env(f.bool(), {
    default: false,
    reason: 'Whether an OWNER may credit tokens to the own Space. For companies with one Space.',
  })
  SPACE_OWNERS_MAY_CREDIT!: boolean;

  @Env(f.int({ min: 1, max: 1_000_000_000 }), {
    default: 128_000,
    reason: 'Most tokens of one request, unless the Space sets another cap.',
  })
  REQUEST_TOKEN_CAP!: number;

  @Env(f.int({ min: 0, max: 1_000_000_000 }), {
    default: 0,
    reason: 'Most tokens of a Space in a day (UTC), unless it sets another cap. 0: none.',
  })
  DAILY_TOKEN_CAP!: number;

  @Env(f.int({ min: 1, max: 1_000_000 }), {
    default: 100,
    reason: 'Tokens that a call costs whose upstream counts none: images, sounds, and other paths.',
  })
  RELAY_FLAT_TOKENS!: number;

  @Env(f.int({ min: 1, max: 10_000 }), {
    default: 50,
    reason: 'Milliseconds for one piece; the bytes of what is not tokenized by then count as tokens.',
  })
  RELAY_TOKENIZER_PIECE_MS!: number;

  @Env(f.int({ min: 1, max: 60_000 }), {
    default: 1_000,
    reason: 'Milliseconds for all texts of one request, waiting for others included; the bytes of the rest count.',
  })
  RELAY_TOKENIZER_REQUEST_MS!: number;

  @Env(f.int({ min: 5, max: 500 }), {
    default: 45,
    reason: 'Seconds of silence after which the reservations of a relay are settled by another one.',
  })
  RELAY_DEAD_AFTER_SECONDS!: number;

  @Env(f.int({ min: 1, max: 500 }), {
    default: 10,
    reason: 'Seconds between two sweeps for reservations of dead relays; five seconds once there are no more.',
  })
  RELAY_SWEEP_SECONDS!: number;

  @Env(f.int({ min: 100, max: 3_600_000 }), {
    default: 300_000,
    reason: 'Milliseconds between two rounds that sum up what Spaces have used.',
  })
  RELAY_USAGE_INTERVAL_MS!: number;
}

/** A catalogue names the variables that hold its upstreams' keys and addresses. Only those are read, by their name. */
export const environmentOf =
  (config: Pick<RelayConfig, 'SIMULATOR_URL'>) =>
  (name: string): string | undefined =>
    // oxlint-disable-next-line no-restricted-properties -- which variables there are is known to the catalogue only
    name === 'SIMULATOR_URL' ? config.SIMULATOR_URL : process.env[name];
