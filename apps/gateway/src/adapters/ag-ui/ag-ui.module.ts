import { Module } from '@nestjs/common';
import { TurnsModule } from '../../routes/turns/turns.module';
import { AgUiController } from './ag-ui.controller';
import { AgUiRuns } from './ag-ui-runs';

@Module({ imports: [TurnsModule], controllers: [AgUiController], providers: [AgUiRuns] })
export class AgUiModule {}
