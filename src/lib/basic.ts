/**
 * The user and the password of HTTP Basic (RFC 7617), decoded as UTF-8 and not yet parted; `undefined` where a header is
 * not of that form.
 */
export function basicUserPass(authorization: string | null | undefined): string | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
