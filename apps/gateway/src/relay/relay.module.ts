import { Module } from '@nestjs/common';
import { RelayController } from './relay.controller';
import { RelayDoor } from './relay-door';
import { RelayRoad } from './relay-road';

@Module({ controllers: [RelayController], providers: [RelayDoor, RelayRoad] })
export class RelayModule {}
