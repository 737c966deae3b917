import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Inject, Injectable, OnModuleInit } from '@nestjs/common';
import { Logger, Metrics, SETTINGS, type ServiceSettings, Workers } from '@switchyard/service';
import { parse } from 'yaml';
import { Catalogue } from '../domain/catalogue';
import { CatalogueError, parseCatalogue } from '../domain/parse-catalogue';
import { RelayConfig, environmentOf } from '../relay.config';

/** A catalogue that was looked at longer ago is looked at again when it is asked for. */
const LOOK_MS = 1_000;
/** Also without a call: a file that is wrong must not wait for one to be reported. */
const UNASKED_LOOK_MS = 5_000;
const BUILT_IN = path.join(__dirname, 'built-in.yaml');

/**
 * The catalogue in force. A changed file replaces it without a restart; a wrong one is refused and the old one stays.
 */
@Injectable()
export class CatalogueStore implements OnModuleInit {
  private inForce: Catalogue;
  private seen: string;
  private lookedAt = performance.now();
  private readonly refused;

  constructor(
    private readonly config: RelayConfig,
    private readonly workers: Workers,
    private readonly logger: Logger,
    @Inject(SETTINGS) private readonly settings: ServiceSettings,
    metrics: Metrics,
  ) {
    this.refused = metrics.gauge(
      'switchyard_relay_catalogue_refused',
      '1 while the catalogue of models is invalid and the relay uses the last valid one.',
    );
    const file = this.file();
    this.seen = versionOf(file);
    this.inForce = this.read(file);
  }

  get current(): Catalogue {
    if (performance.now() - this.lookedAt >= LOOK_MS) this.reloadIfChanged();
    return this.inForce;
  }

  /** Whether there is no models file. */
  get isBuiltIn(): boolean {
    return this.file() === BUILT_IN;
  }

  onModuleInit(): void {
    this.workers.poll('look for a new catalogue of models', UNASKED_LOOK_MS, () => {
      this.reloadIfChanged();
      return Promise.resolve(false);
    });
  }

  private file(): string {
    if (this.config.MODELS_FILE !== '') return this.config.MODELS_FILE;
    const file = path.join(this.config.MODELS_FOLDER, 'models.yaml');
    return existsSync(file) ? file : BUILT_IN;
  }

  private read(file: string): Catalogue {
    let value: unknown;
    try {
      value = parse(readFileSync(file, 'utf8'));
    } catch (error) {
      throw new CatalogueError([
        `${file} cannot be read as YAML: ${error instanceof Error ? error.message : String(error)}`,
      ]);
    }
    return parseCatalogue(value, environmentOf(this.config, this.settings));
  }

  /** Polled, because editors and mounted volumes replace files in ways that no watcher sees reliably. */
  private reloadIfChanged(): void {
    this.lookedAt = performance.now();
    const file = this.file();
    const version = versionOf(file);
    if (version === this.seen) return;
    this.seen = version;
    try {
      this.inForce = this.read(file);
      this.refused.set(0);
      this.logger.info(
        { models: this.inForce.models.size, upstreams: this.inForce.upstreams.size },
        'loaded a new catalogue of models',
      );
    } catch (error) {
      this.refused.set(1);
      const problems = error instanceof CatalogueError ? error.problems : [String(error)];
      this.logger.error({ problems, file }, 'the new catalogue of models is invalid; using the previous one');
    }
  }
}

/** A file that cannot be looked at has a version as well: reading it says what is wrong. */
function versionOf(file: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(file);
    return `${file} ${mtimeMs} ${size} ${ino}`;
  } catch (error) {
    return `${file} ${String(error)}`;
  }
}
