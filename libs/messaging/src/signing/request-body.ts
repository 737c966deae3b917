/** The request part of an envelope, secret fields apart. */
export interface RequestBody {
  data: unknown;
  /** The envelope's id, if something is bound to it. */
  id?: string;
  secret?: string;
  /** The caller can decrypt secret fields of a reply; the previous version cannot. */
  opens?: true;
}
