import type { TestPlatform, TestSpace } from '@switchyard/testing';
import { conversations } from './conversations';
import { Maker } from './maker';
import { rowsOfAMoment } from './moments';
import { application, deliveries, people } from './outside';
import { operatorReadsOf, type PlantedRequest, readsOf, type SceneIds, worksOf } from './requests';
import { datasets, jobs, tasks } from './work';

export interface PlantedScene {
  space: TestSpace;
  ids: SceneIds;
  reads: PlantedRequest[];
  operatorReads: PlantedRequest[];
  works: PlantedRequest[];
}

/** A Space with one or more of everything that users make. */
export async function plantedScene(platform: TestPlatform): Promise<PlantedScene> {
  const space = await platform.newSpace();
  await space.credit(10_000_000, 'n');
  const maker = new Maker(platform, space);
  const talk = await conversations(maker);
  const data = await datasets(maker);
  const shop = await application(maker, data.datasetId);
  const owned = await people(maker);
  const run = await tasks(maker, data.datasetId, shop.emission);
  const { jobId, job } = await jobs(maker, talk.agentId);
  const sent = await deliveries(maker, shop, { taskId: run.taskId, accountId: owned.accountId });
  await rowsOfAMoment(maker, { agentId: talk.agentId, importId: data.importId });
  const userId = space.owner.identity.userId ?? '';
  const { applicationId, eventId } = shop;
  const ids = {
    ...{ ...talk, ...data, ...owned, ...run, ...sent },
    ...{ jobId, applicationId, eventId, spaceId: space.id, userId },
  };
  return { space, ids, reads: readsOf(ids), operatorReads: operatorReadsOf(ids), works: worksOf(ids, job) };
}
