import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { Logger, Metrics, Workers } from '@switchyard/service';
import { parse } from 'yaml';
import { Catalogue } from '../domain/catalogue';
import { CatalogueError, parseCatalogue } from '../domain/parse-catalogue';
import { RelayConfig, environmentOf } from '../relay.config';

const LOOK_MS = 1_000;
const BUILT_IN = path.join(__dirname, 'built-in.yaml');

/** The catalogue in force. A changed file replaces it without a restart; a wrong one is refused and the old one stays. */
@Injectable()
export class CatalogueStore implements OnModuleInit {
  current: Catalogue;
  private seen: string;
  private readonly refused;

  constructor(
    private readonly config: RelayConfig,
    private readonly workers: Workers,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.refused = metrics.gauge(
      'switchyard_relay_catalogue_refused',
      '1 while the file of the catalogue is wrong and an older one is in force.',
    );
    const file = this.file();
    this.seen = versionOf(file);
    this.current = this.read(file);
  }

  onModuleInit(): void {
    this.workers.every('look for a new catalogue of models', LOOK_MS, () => this.look());
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
    return parseCatalogue(value, environmentOf(this.config));
  }

  /** Polled, because editors and mounted volumes replace files in ways that no watcher sees reliably. */
  private look(): Promise<void> {
    const file = this.file();
    const version = versionOf(file);
    if (version === this.seen) return Promise.resolve();
    this.seen = version;
    try {
      this.current = this.read(file);
      this.refused.set(0);
      this.logger.info(
        { models: this.current.models.size, upstreams: this.current.upstreams.size },
        'a new catalogue of models is in force',
      );
    } catch (error) {
      this.refused.set(1);
      const problems = error instanceof CatalogueError ? error.problems : [String(error)];
      this.logger.error({ problems, file }, 'the new catalogue of models is wrong; the old one stays in force');
    }
    return Promise.resolve();
  }
}

function versionOf(file: string): string {
  const { mtimeMs, size, ino } = statSync(file);
  return `${file} ${mtimeMs} ${size} ${ino}`;
}
