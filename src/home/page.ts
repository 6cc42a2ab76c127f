/** The service's interfaces, by name. */
export interface Directory {
  readonly service: string;
  /** Where the documentation is. */
  readonly documentation: string;
  /** An RFC 6570 template. */
  readonly feed: string;
  /** Paths. */
  readonly schemas: readonly string[];
  readonly developments: string;
  /** Missing if another issuer issues the tokens. */
  readonly token_metadata?: string;
}

/** The directory as an HTML page that loads nothing else. */
export function homePage({ service, documentation, feed, schemas, developments, token_metadata }: Directory): string {
  const link = (path: string) => `<a href="${path}">${path}</a>`;
  const tokens =
    token_metadata === undefined
      ? '<p>They require an access token of the configured issuer.</p>'
      : `<p>They require an access token from <code>POST /oauth/token</code>; metadata for OAuth libraries: ${link(token_metadata)}</p>`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${service}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:44em;margin:2em auto;padding:0 1em}code{overflow-wrap:anywhere}</style>
<h1>${service}</h1>
<p>Property feeds of estate agencies, and updates of the units of their new developments.</p>
<h2>Feed</h2>
<p><code>GET ${feed}</code></p>
<p>Its XML Schemas: ${schemas.map(link).join(', ')}</p>
<h2>Unit updates</h2>
<p><code>GET ${developments}</code></p>
<p><code>POST ${developments}/{development}/units/update-by-name</code></p>
${tokens}
<h2>Documentation</h2>
<p>${documentation}.</p>
</html>
`;
}
