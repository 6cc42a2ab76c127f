import { type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { listen } from './listen.ts';

/** A response on its way through the proxy. */
export interface PassingResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** End the connection after the body, whatever the headers say. */
  closes: boolean;
}

export interface PassingRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
}

/** Changes a response. */
export type Defect = (request: PassingRequest, response: PassingResponse) => void | Promise<void>;

interface FaultyProxy {
  readonly url: URL;
  stop(): Promise<void>;
}

let proxies = 0;

/** Starts a proxy in front of a service, with a client address of its own and so limits of its own. */
export async function startFaultyProxy(
  target: URL,
  defect: Defect | undefined,
): Promise<FaultyProxy> {
  proxies += 1;
  const address = `192.0.2.${proxies}`;
  const { origin, stop } = await listen(async (request, response) => {
    const passing = await forward(request, target, address);
    const url = new URL(request.url!, target);
    await defect?.({ method: request.method!, url, headers: request.headers }, passing);
    send(response, { ...passing, closes: passing.closes && request.method !== 'HEAD' });
  });
  return { url: new URL(origin), stop };
}

async function forward(
  request: IncomingMessage,
  target: URL,
  address: string,
): Promise<PassingResponse> {
  const headers = { ...request.headers, host: target.host, 'cf-connecting-ip': address };
  // A connection of its own: workerd closes idle ones, and a request that is sent at that moment is lost.
  const forwarded = requestHttp(new URL(request.url!, target).href, {
    method: request.method!,
    headers,
    agent: false,
  });
  request.pipe(forwarded);
  const response = await new Promise<IncomingMessage>((done, fail) => {
    forwarded.on('response', done).on('error', fail);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const {
    'transfer-encoding': _,
    connection: __,
    ...rest
  } = response.headers as Record<string, string>;
  return {
    status: response.statusCode!,
    headers: rest,
    body: Buffer.concat(chunks),
    closes: false,
  };
}

function send(response: ServerResponse, { status, headers, body, closes }: PassingResponse): void {
  response.writeHead(status, headers);
  if (closes) response.write(body, () => response.destroy());
  else response.end(body);
}
