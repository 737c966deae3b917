export interface SpacePayer {
  spaceId: string;
  payer: string;
}

/** Of these Spaces the ones whose payer has its share. `used` is what each payer has in this process. */
export const spacesAtShare = (
  spaces: readonly SpacePayer[],
  used: ReadonlyMap<string, { slots: number }>,
  share: number,
): string[] => spaces.flatMap(({ spaceId, payer }) => ((used.get(payer)?.slots ?? 0) >= share ? [spaceId] : []));
