/** How many turns prove that nothing runs unapproved: as the environment says. */
export const approvalTurns = (otherwise: number): number =>
  Number(process.env['SWITCHYARD_APPROVAL_TURNS'] ?? otherwise);
