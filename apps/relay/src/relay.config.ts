import { f } from '@switchyard/contracts';
import { DatabaseServiceConfig, Env, type ServiceSettings } from '@switchyard/service';

export class RelayConfig extends DatabaseServiceConfig {
  @Env(f.text({ max: 4096 }), {
    default: '',
    reason: 'The catalogue of models (a YAML file). If it is set, the file must exist.',
  })
  MODELS_FILE!: string;

  @Env(f.text({ max: 4096 }), {
    default: '.',
    reason:
      'Without MODELS_FILE: the folder in which `models.yaml` is the catalogue of models, if it exists. Otherwise the model simulator is the only provider.',
  })
  MODELS_FOLDER!: string;

  @Env(f.text({ max: 2048 }), {
    default: 'http://127.0.0.1:4010/v1',
    reason: 'The address of the model simulator, which the built-in catalogue uses.',
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
    reason: 'Whether OWNERs may add tokens to the balance of their own Space. Meant for companies with a single Space.',
  })
  SPACE_OWNERS_MAY_CREDIT!: boolean;

  @Env(f.int({ min: 1, max: 1_000_000_000 }), {
    default: 128_000,
    reason: 'Tokens that one model call may use, prompt and answer, unless the Space sets its own cap.',
  })
  REQUEST_TOKEN_CAP!: number;

  @Env(f.int({ min: 0, max: 1_000_000_000 }), {
    default: 0,
    reason: 'Tokens that a Space may use per day (UTC), unless it sets its own cap. 0 means no cap.',
  })
  DAILY_TOKEN_CAP!: number;

  @Env(f.int({ min: 1, max: 1_000_000 }), {
    default: 100,
    reason: 'Tokens that are charged for a call if the provider reports no tokens: images, audio, and other paths.',
  })
  RELAY_FLAT_TOKENS!: number;

  @Env(f.int({ min: 1, max: 10_000 }), {
    default: 50,
    reason: 'Milliseconds in which one piece of text must be tokenized. Otherwise each of its bytes counts as a token.',
  })
  RELAY_TOKENIZER_PIECE_MS!: number;

  @Env(f.int({ min: 1, max: 60_000 }), {
    default: 1_000,
    reason:
      'Milliseconds in which all texts of a request must be tokenized, including the time in the queue. Afterwards each remaining byte counts as a token.',
  })
  RELAY_TOKENIZER_REQUEST_MS!: number;

  @Env(f.int({ min: 5, max: 500 }), {
    default: 45,
    reason:
      'Seconds without a heartbeat after which another relay settles the token reservations of a relay process; if that had a journal, after an hour.',
  })
  RELAY_DEAD_AFTER_SECONDS!: number;

  @Env(f.int({ min: 1, max: 500 }), {
    default: 10,
    reason: 'Seconds between two searches for token reservations of relay processes that have ended.',
  })
  RELAY_SWEEP_SECONDS!: number;

  @Env(f.text({ max: 4096 }), {
    default: '',
    reason:
      'A folder for the journal of model calls that have ended: an answer then waits for a write to this disk instead of Postgres. The folder must outlive the process. Empty means no journal. `npm start` with its own Postgres, and Compose, set it to a folder of theirs; set it to the empty text there to turn the journal off.',
  })
  RELAY_JOURNAL_FOLDER!: string;

  @Env(f.int({ min: 1, max: 128 }), {
    default: 16,
    reason: 'Largest size of the journal, in MB. If it is full, answers wait for Postgres.',
  })
  RELAY_JOURNAL_MAX_MB!: number;

  @Env(f.int({ min: 100, max: 3_600_000 }), {
    default: 300_000,
    reason: 'Milliseconds between two updates of the sums of usage.',
  })
  RELAY_USAGE_INTERVAL_MS!: number;
}

/** A catalogue names the variables that hold its upstreams' keys and addresses. Only those are read, by their name. */
export const environmentOf =
  (config: Pick<RelayConfig, 'SIMULATOR_URL'>, settings: ServiceSettings) =>
  (name: string): string | undefined =>
    name === 'SIMULATOR_URL' ? config.SIMULATOR_URL : settings[name];
