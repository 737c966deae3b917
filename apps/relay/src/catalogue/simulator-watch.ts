import { Injectable, OnModuleInit } from '@nestjs/common';
import { Health, Logger } from '@switchyard/service';
import { RelayConfig } from '../relay.config';
import { CatalogueStore } from './catalogue-store';

const ANSWERS_WITHIN_MS = 900;
/** While the platform starts, a simulator that runs may still be slow. */
const FIRST_ANSWER_WITHIN_MS = 15_000;

/**
 * Without a catalogue the simulator is the only upstream, and a deployment need not have one: then no model answers, which
 * readiness and the log say. The relay is ready all the same; a catalogue may come at any time.
 */
@Injectable()
export class SimulatorWatch implements OnModuleInit {
  constructor(
    private readonly catalogue: CatalogueStore,
    private readonly config: RelayConfig,
    private readonly health: Health,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.health.add(
      'models',
      () => this.hasUpstream(),
      false,
      () => this.problem,
    );
    void this.hasUpstream(FIRST_ANSWER_WITHIN_MS).then((has) => {
      if (!has) this.logger.warn({}, this.problem);
    });
  }

  private get problem(): string {
    return `no model can be called: there is no models file, and the simulator at ${this.config.SIMULATOR_URL} does not answer. Set MODELS_FILE, or put models.yaml into MODELS_FOLDER`;
  }

  private async hasUpstream(withinMs = ANSWERS_WITHIN_MS): Promise<boolean> {
    if (!this.catalogue.isBuiltIn) return true;
    try {
      const reply = await fetch(`${this.config.SIMULATOR_URL}/models`, {
        signal: AbortSignal.timeout(withinMs),
      });
      await reply.body?.cancel();
      return reply.ok;
    } catch {
      return false;
    }
  }
}
