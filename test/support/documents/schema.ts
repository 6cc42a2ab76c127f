import { env } from 'cloudflare:workers';

declare global {
  namespace Cloudflare {
    interface GlobalProps {
      mainModule: typeof import('../../../src/worker.ts');
    }
    interface Env {
      /** libxml2 in Node, because workerd does not compile WebAssembly from bytes: `serveValidation` of `xsd.ts`. */
      readonly VALIDATOR: Fetcher;
    }
  }
}

/** The errors that libxml2 finds in a document by its schema; none if it is valid. */
export async function validate(
  xml: string | Uint8Array<ArrayBuffer>,
  which: string,
): Promise<string[]> {
  const post = () =>
    env.VALIDATOR.fetch(`http://validator/${which}`, { method: 'POST', body: xml });
  // A connection that was idle for a while may have been closed.
  const response = await post().catch(post);
  if (!response.ok) throw new Error(`The validator failed: ${await response.text()}`);
  return response.json();
}
