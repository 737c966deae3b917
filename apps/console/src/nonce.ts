/** The policy takes styles from this server, and those that carry the nonce of this page. */
export const pageNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// Libraries put style elements into the page and most have no setting for a nonce. Loaded before all of them.
const plain: (name: string, options?: ElementCreationOptions) => HTMLElement =
  // oxlint-disable-next-line typescript/no-deprecated -- one of its forms is, and the name is any here
  document.createElement.bind(document);
const withNonce = (name: string, options?: ElementCreationOptions): HTMLElement => {
  const element = plain(name, options);
  if (pageNonce !== '' && name.toLowerCase() === 'style') element.nonce = pageNonce;
  return element;
};
Reflect.set(document, 'createElement', withNonce);
