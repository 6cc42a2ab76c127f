/** The key of the demo agency's reader. It is not a secret: only a local database has it. */
export const DEMO_KEY = 'lindero_demo-key-for-local-development-1';

/**
 * Pages to open and commands to paste for a developer: requests of the demo feed, a request for a token and a unit update.
 *
 * @param origin where the Worker is served, such as `http://localhost:8787`
 */
export function welcome(origin: string): string {
  // wrangler's certificate is self-signed.
  const curl = origin.startsWith('https:') ? 'curl -k' : 'curl';
  const feed = `${origin}/CreateXMLFeedV3.asp?U=OWNPROPERTIES@DEMO&P=demo`;
  return `
The console (account DEMO, password demo), and the API reference:

  ${origin}/
  ${origin}/docs

The feed of the demo agency in versions 1, 2 and 3, and in English, Spanish and German:

  ${curl} '${feed}'
  ${curl} '${feed}&FV=2'
  ${curl} '${feed}&FV=3'
  ${curl} '${feed}&FV=3&Language=1,2,3'

The same in Kyero's format:

  ${curl} '${origin}/kyero.xml?U=OWNPROPERTIES@DEMO&P=demo'

A sale feed as a portal fetches it, with a key of its own and the parameters of its preset:

  ${curl} '${origin}/CreateXMLFeedV3.asp?U=OWNPROPERTIES@DEMO&P=${DEMO_KEY}'

What that portal could follow instead: every property that it sees, then only what has changed and what was removed:

  ${curl} -u 'OWNPROPERTIES@DEMO:${DEMO_KEY}' '${origin}/v1/changes?limit=2'

A token, and an update of unit A-101, which the next feed shows:

  TOKEN=$(${curl} -s -u demo-client:demo-secret -d grant_type=client_credentials ${origin}/oauth/token | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
  ${curl} -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"UntName":"A-101","UntStatus":1,"UntPrice":315000,"UntDirections":[["S"],["SE"]]}' ${origin}/v1/developments/sol-azul/units/update-by-name
`;
}
