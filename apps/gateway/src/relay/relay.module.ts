import { Module } from '@nestjs/common';
import { RelayController } from './relay.controller';
import { RelayDoor } from './relay-door';

@Module({ controllers: [RelayController], providers: [RelayDoor] })
export class RelayModule {}
