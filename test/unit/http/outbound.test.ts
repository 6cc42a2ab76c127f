import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { addressError, fetchOutbound, mayCallLocal } from '../../../src/http/outbound.ts';
import { type Listening, listen } from '../../support/network/listen.ts';

const FORBIDDEN = `
  http://example.com/ ftp://example.com/ file:///etc/passwd example.com/hook https://localhost/ https://LOCALHOST./
  https://a.localhost/ https://intranet/ https://printer.local/ https://metadata.google.internal/computeMetadata/v1/
  https://router.home.arpa/ https://127.0.0.1/ https://127.1/ https://2130706433/ https://0x7f000001/ https://0x7f.0.0.1/
  https://0177.0.0.01/ https://127.0.0.1./ https://①②⑦.0.0.1/ https://0.0.0.0/ https://0/ https://10.1.2.3/
  https://172.16.0.1/ https://172.31.255.255/ https://192.168.1.1/ https://169.254.169.254/latest/meta-data/
  https://0xa9fea9fe/ https://100.64.0.1/ https://100.100.100.200/ https://192.0.2.1/ https://198.18.0.1/
  https://224.0.0.1/ https://240.0.0.1/ https://255.255.255.255/ https://[::]/ https://[::1]/ https://[0:0:0:0:0:0:0:1]/
  https://[::ffff:127.0.0.1]/ https://[::ffff:7f00:1]/ https://[::127.0.0.1]/ https://[64:ff9b::127.0.0.1]/
  https://[64:ff9b::8.8.8.8]/ https://[64:ff9b:1::1]/ https://[2002:7f00:1::]/
  https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/ https://[fe80::1]/ https://[fd00:ec2::254]/ https://[fc00::1]/
  https://[fec0::1]/ https://[ff02::1]/ https://[2001:db8::1]/ https://localhost../ https://a..localhost/ https://example.com../
  https://host.localdomain/ https://api.default.svc/ https://wiki.corp/ https://nas.home/ https://mail.private./
  https://127.0.0.1.nip.io/ https://10-0-0-1.sslip.io/ https://app.localtest.me/
`
  .trim()
  .split(/\s+/);

const ALLOWED = `
  https://example.com/hook?a=b https://EXAMPLE.com:8443/ https://agencia.es./ https://müller.example.org/
  https://user:password@feeds.example.com/ https://8.8.8.8/ https://172.32.0.1/ https://192.169.0.1/
  https://[2606:4700::1111]/ https://local.example.com/ https://home.example.com/ https://mail.example.com/
  https://casa.corpora.es/ https://mynip.io/
`
  .trim()
  .split(/\s+/);

describe('an address in production', () => {
  test.each(['', ...FORBIDDEN])('%s: forbidden', (address) => {
    expect(addressError(address, false)?.code).toMatch(/^(url|host)_/);
  });

  test.each(ALLOWED)('%s: allowed', (address) => {
    expect(addressError(address, false)).toBeNull();
  });
});

describe('an address in development', () => {
  test('http and local hosts: allowed', () => {
    expect(addressError('http://localhost:3000/hook', true)).toBeNull();
  });

  test('another scheme: forbidden', () => {
    expect(addressError('file:///etc/passwd', true)?.code).toBe('url_not_absolute');
  });

  test('allowed by the setting or in development, and in no other case', () => {
    expect(mayCallLocal({})).toBe(false);
    expect(mayCallLocal({ LOCAL_ADDRESSES: 'no' })).toBe(false);
    expect(mayCallLocal({ LOCAL_ADDRESSES: 'allowed' })).toBe(true);
    vi.stubEnv('NODE_ENV', 'development');
    expect(mayCallLocal({})).toBe(true);
    vi.unstubAllEnvs();
  });
});

describe('redirects', () => {
  /** Requests by path, with the credentials that they contained. */
  const received: [path: string, authorization: string | undefined][] = [];
  let first: Listening;
  let second: Listening;

  beforeAll(async () => {
    second = await listen((request, response) => {
      received.push([request.url!, request.headers.authorization]);
      response.end('second');
    });
    first = await listen((request, response) => {
      received.push([request.url!, request.headers.authorization]);
      const status = Number(request.url!.slice(1)) || 302;
      const targets: Record<string, string> = {
        [`/${status}`]: '/end',
        '/other': `${second.origin}/end`,
        '/loop': '/loop',
        '/bad': 'http://',
      };
      const target = targets[request.url!];
      if (target === undefined) response.end('first');
      else response.writeHead(status, { Location: target }).end();
    });
  });
  afterAll(() => Promise.all([first.stop(), second.stop()]));

  async function call(path: string, redirects: number): Promise<[status: number, text: string]> {
    received.length = 0;
    const headers = { Authorization: 'Basic secret' };
    const response = await fetchOutbound(first.origin + path, { local: true, redirects, headers });
    return [response.status, await response.text()];
  }

  test('none allowed: the redirect is the response', async () => {
    expect(await call('/302', 0)).toEqual([302, '']);
    expect(received).toEqual([['/302', 'Basic secret']]);
  });

  test.each([301, 302, 303, 307, 308])(
    'within the origin, with %i: followed with the credentials',
    async (status) => {
      expect(await call(`/${status}`, 5)).toEqual([200, 'first']);
      expect(received.at(-1)).toEqual(['/end', 'Basic secret']);
    },
  );

  test('to another origin: followed without the credentials', async () => {
    expect(await call('/other', 5)).toEqual([200, 'second']);
    expect(received.at(-1)).toEqual(['/end', undefined]);
  });

  test('without end: the last one is the response', async () => {
    expect((await call('/loop', 3))[0]).toBe(302);
    expect(received).toHaveLength(4);
  });

  test('to something that is no address: the redirect is the response', async () => {
    expect((await call('/bad', 3))[0]).toBe(302);
  });

  test.each([
    ['in production, to a local address', false, 'http://169.254.169.254/latest'],
    ['in development, from https to http', true, 'http://example.com/feed'],
  ])('%s: not called', async (_, local, location) => {
    const fetched: string[] = [];
    vi.stubGlobal('fetch', async (url: URL) => {
      fetched.push(url.href);
      return new Response(null, { status: 307, headers: { Location: location } });
    });
    await expect(
      fetchOutbound('https://example.com/feed', { local, redirects: 5 }),
    ).rejects.toThrow('https');
    vi.unstubAllGlobals();
    expect(fetched).toEqual(['https://example.com/feed']);
  });
});
