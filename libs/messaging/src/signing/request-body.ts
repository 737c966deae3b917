/** What an envelope says of a request, its secret fields apart. */
export interface RequestBody {
  data: unknown;
  /** The envelope's id, where something is bound to it. */
  id?: string;
  secret?: string;
  /** That the caller can open secret fields of a reply: one of the version before cannot. */
  opens?: true;
}
