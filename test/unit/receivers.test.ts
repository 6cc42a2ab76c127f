import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const FOLDER = 'src/openapi/receivers';
const KEY = Buffer.from('0123456789abcdef0123456789abcdef');
const SECRET = `whsec_${KEY.toString('base64')}`;
const BODY = '{"type":"ping","data":"Málaga"}';

const run = promisify(execFile);

/** Runs code in a language with the call as its arguments; the code prints 1 for a verified call. */
const LANGUAGES = {
  node: async (...call: readonly string[]) => {
    const source = await readFile(`${FOLDER}/verify.mjs`, 'utf8');
    const driver =
      'const [, secret, headers, body] = process.argv;\n' +
      'process.stdout.write(isVerified(secret, JSON.parse(headers), body) ? "1" : "0");';
    const options = ['--input-type=module', '-e', `${source}\n${driver}`];
    return (await run(process.execPath, [...options, ...call])).stdout;
  },
  php: async (...call: readonly string[]) => {
    const source = (await readFile(`${FOLDER}/verify.php`, 'utf8')).replace('<?php', '');
    const driver = 'echo is_verified($argv[1], json_decode($argv[2], true), $argv[3]) ? 1 : 0;';
    return (await run('php', ['-r', `${source}\n${driver}`, '--', ...call])).stdout;
  },
  python3: async (...call: readonly string[]) => {
    const source = await readFile(`${FOLDER}/verify.py`, 'utf8');
    const driver =
      'import json, sys\nprint(int(is_verified(sys.argv[1], json.loads(sys.argv[2]), sys.argv[3].encode())), end="")';
    return (await run('python3', ['-c', `${source}\n${driver}`, ...call])).stdout;
  },
};

/** A call as the service sends it, some seconds ago. */
function headersOf(body: string, ago: number) {
  const timestamp = String(Math.floor(Date.now() / 1_000) - ago);
  const signature = createHmac('sha256', KEY).update(`msg_1.${timestamp}.${body}`);
  return JSON.stringify({
    'webhook-id': 'msg_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,b2xk v1,${signature.digest('base64')}`,
  });
}

describe.each(Object.entries(LANGUAGES))('the example for %s', (command, verify) => {
  test('a call of the service is verified; changed, old or signed otherwise, it is not', async ({
    skip,
  }) => {
    const isThere = await run(command, ['--version']).then(
      () => true,
      () => false,
    );
    if (!isThere) skip(`${command} is not installed`);
    expect(await verify(SECRET, headersOf(BODY, 10), BODY)).toBe('1');
    expect(await verify(SECRET, headersOf(BODY, 10), `${BODY} `)).toBe('0');
    expect(await verify(SECRET, headersOf(BODY, 400), BODY)).toBe('0');
    const other = `whsec_${Buffer.from('another').toString('base64')}`;
    expect(await verify(other, headersOf(BODY, 10), BODY)).toBe('0');
  });
});
