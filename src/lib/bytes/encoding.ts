/**
 * The content coding that the caller prefers (RFC 9110 section 12.5.3); `undefined` if it accepts neither gzip nor
 * identity. Without Accept-Encoding, identity.
 */
export function chooseEncoding(acceptEncoding: string | null): 'gzip' | 'identity' | undefined {
  if (acceptEncoding === null) return 'identity';
  const qualities = new Map(acceptEncoding.split(',').map(qualityOf));
  const others = qualities.get('*');
  const gzip = qualities.get('gzip') ?? qualities.get('x-gzip') ?? others ?? 0;
  // Unless it is excluded, identity is acceptable; not named, it is the last choice.
  const identity = qualities.get('identity') ?? (others === 0 ? 0 : Math.min(gzip, 0.001));
  if (gzip > 0 && gzip >= identity) return 'gzip';
  return identity > 0 || (others !== 0 && !qualities.has('identity')) ? 'identity' : undefined;
}

/** A coding in lower case with its q-value; one that is not from 0 to 1 (RFC 9110 section 12.4.2) excludes the coding. */
function qualityOf(member: string): [coding: string, quality: number] {
  const [coding = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase());
  const given = parameters
    .map((parameter) => /^q\s*=\s*(.*)$/.exec(parameter)?.[1])
    .find((text) => text !== undefined);
  const quality = given === undefined ? 1 : Number(given);
  return [coding, quality >= 0 && quality <= 1 ? quality : 0];
}

/**
 * The caller's own Accept-Encoding. Cloudflare rewrites the header before it reaches the Worker and provides the original
 * in `cf`, which has none if the caller has sent none. Without `cf`, the header is the original.
 */
export function acceptedEncodings(request: Request): string | null {
  const cf = request.cf as Partial<IncomingRequestCfProperties> | undefined;
  return cf === undefined
    ? request.headers.get('Accept-Encoding')
    : (cf.clientAcceptEncoding ?? null);
}
