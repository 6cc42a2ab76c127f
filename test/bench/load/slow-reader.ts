import { Client } from 'undici';

/**
 * Reads a feed at a rate for some seconds, pausing the connection in between, then disconnects.
 *
 * @param mayEnd whether the feed may end before that
 */
export async function readSlowly(
  origin: string,
  path: string,
  encoding: string,
  bytesPerSecond: number,
  seconds: number,
  mayEnd = false,
): Promise<void> {
  const client = new Client(origin);
  await new Promise<void>((resolve, reject) => {
    client.dispatch(
      { path, method: 'GET', headers: { 'accept-encoding': encoding } },
      {
        onRequestStart(controller) {
          setTimeout(() => {
            resolve();
            controller.abort(new Error('The reader hangs up'));
          }, seconds * 1000).unref();
        },
        onResponseStart(controller, status) {
          if (status !== 200) controller.abort(new Error(`The feed answered with ${status}`));
        },
        onResponseData(controller, chunk) {
          controller.pause();
          setTimeout(() => controller.resume(), (chunk.length / bytesPerSecond) * 1000);
        },
        onResponseEnd: () =>
          mayEnd ? resolve() : reject(new Error('The feed ended before the slow reader did')),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
  await client.destroy();
}
