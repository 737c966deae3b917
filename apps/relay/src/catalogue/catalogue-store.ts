import { readFile, stat } from 'node:fs/promises';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { Logger, Metrics, Workers } from '@switchyard/service';
import { parse } from 'yaml';
import { Catalogue } from '../domain/catalogue';
import { CatalogueError, parseCatalogue } from '../domain/parse-catalogue';
import { RelayConfig, environmentOf } from '../relay.config';

const LOOK_MS = 1_000;
const BUILT_IN = path.join(__dirname, 'built-in.yaml');
const USUAL = 'models.yaml';

/** The catalogue in force. A changed file replaces it without a restart; a wrong one is refused and the old one stays. */
@Injectable()
export class CatalogueStore implements OnModuleInit {
  current: Catalogue;
  private readonly file: string;
  private readonly listeners: ((catalogue: Catalogue) => void)[] = [];
  private seen = '';
  private readonly refused;

  constructor(
    private readonly config: RelayConfig,
    private readonly workers: Workers,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.file = config.MODELS_FILE || (existsSync(USUAL) ? USUAL : BUILT_IN);
    this.refused = metrics.gauge('switchyard_relay_catalogue_refused', '1 while the file of the catalogue is wrong and an older one is in force.');
    this.current = this.read(readFileSync(this.file, 'utf8'));
  }

  onModuleInit(): void {
    this.workers.every('look for a new catalogue of models', LOOK_MS, () => this.look());
  }

  onChange(listener: (catalogue: Catalogue) => void): void {
    this.listeners.push(listener);
  }

  private read(text: string): Catalogue {
    let value: unknown;
    try {
      value = parse(text);
    } catch (error) {
      throw new CatalogueError([`${this.file} is not YAML: ${error instanceof Error ? error.message : String(error)}`]);
    }
    return parseCatalogue(value, environmentOf(this.config));
  }

  /** Polled, because editors and mounted volumes replace files in ways that no watcher sees reliably. */
  private async look(): Promise<void> {
    const { mtimeMs, size, ino } = await stat(this.file);
    const version = `${mtimeMs}/${size}/${ino}`;
    if (version === this.seen) return;
    const isFirst = this.seen === '';
    this.seen = version;
    if (isFirst) return;
    try {
      this.current = this.read(await readFile(this.file, 'utf8'));
      for (const listener of this.listeners) listener(this.current);
      this.refused.set(0);
      this.logger.info({ models: this.current.models.size, upstreams: this.current.upstreams.size }, 'a new catalogue of models is in force');
    } catch (error) {
      this.refused.set(1);
      const problems = error instanceof CatalogueError ? error.problems : [String(error)];
      this.logger.error({ problems, file: this.file }, 'the new catalogue of models is wrong; the old one stays in force');
    }
  }
}
