import { beforeAll, describe, expect, test } from 'vitest';
import { createAccount, failureOf, operator, useOperator } from '../operator.ts';

useOperator();

const CODE = `ilc${'a1'.repeat(20)}`;
const IDEALISTA = ['idealista', '--account', 'formats'];

beforeAll(async () => {
  await createAccount('FORMATS');
});

describe('format', () => {
  test('set: what is given, the rest stays; none removes; show', async () => {
    const settings = { CustomerCode: CODE, ContactEmail: 'a@costa.es' };
    await operator.json([
      'format',
      'set',
      ...IDEALISTA,
      '--customer-code',
      CODE,
      '--contact-phone',
      '910000000',
    ]);
    const changed = ['--contact-email', 'a@costa.es', '--contact-phone', 'none'];
    expect(await operator.json(['format', 'set', ...IDEALISTA, ...changed])).toMatchObject({
      settings,
    });
    expect(await operator.json(['format', 'show', ...IDEALISTA])).toEqual({
      format: 'idealista',
      settings,
    });
    const created = await operator.json<{ path: string }>([
      'reader',
      'create',
      'p',
      '--account',
      'formats',
    ]);
    const url = new URL(`/idealista.json?${created.path.split('?')[1]}`, operator.server.url);
    expect(await (await fetch(url)).json()).toMatchObject({ customerCode: CODE });
  });

  test('set of a code that Idealista cannot have given, or of another format: fails', async () => {
    expect((await failureOf(['format', 'set', ...IDEALISTA, '--customer-code', 'ilc1'])).exit).toBe(
      2,
    );
    expect(await failureOf(['format', 'show', 'kyero', '--account', 'formats'])).toEqual({
      exit: 1,
      code: 'format_not_found',
    });
  });
});
