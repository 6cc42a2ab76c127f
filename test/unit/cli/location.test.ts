import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { askLocation, checkLocation, parseLocation, placementRegion } from '../../../src/cli/deploy/location.ts';

describe('the command line', () => {
  test.each([
    [[], undefined],
    [['--location', 'weur'], { location: 'weur' }],
    [['--jurisdiction=eu'], { jurisdiction: 'eu' }],
  ])('%j: %j', (args, location) => {
    expect(parseLocation(args)).toEqual(location);
  });

  test.each([
    [['--location', 'mars']],
    [['--jurisdiction', 'weur']],
    [['--location', 'weur', '--jurisdiction', 'eu']],
    [['--location']],
    [['--region', 'weur']],
    [['weur']],
  ])('%j: usage', (args) => {
    expect(() => parseLocation(args)).toThrow(expect.objectContaining({ code: 'usage', exit: 2 }));
  });
});

describe('a first deployment without a location', () => {
  const terminal = () => Object.assign(new PassThrough(), { isTTY: true });

  test('not interactive: no_location, with the choices', async () => {
    await expect(askLocation(new PassThrough(), new PassThrough())).rejects.toMatchObject({
      code: 'no_location',
      message: expect.stringMatching(/--location weur[\s\S]*--jurisdiction eu/),
    });
  });

  test.each([
    ['weur\n', { location: 'weur' }],
    ['EU\n', { jurisdiction: 'eu' }],
    ['\nmars\n oc \n', { location: 'oc' }],
  ])('on a terminal, the answer %j: %j', async (answer, location) => {
    const [input, output] = [terminal(), terminal()];
    const asked = askLocation(input, output);
    for (const line of answer.match(/.*\n/g)!) {
      await new Promise(setImmediate);
      input.write(line);
    }
    expect(await asked).toEqual(location);
  });

  test('on a terminal whose input ends: no_location', async () => {
    const [input, output] = [terminal(), terminal()];
    const asked = askLocation(input, output);
    input.end();
    await expect(asked).rejects.toMatchObject({ code: 'no_location' });
  });
});

describe('the placement of the Worker', () => {
  test.each([
    [{ running_in_region: 'WEUR' }, undefined, 'aws:eu-west-3'],
    [{ running_in_region: 'ENAM' }, { location: 'weur' }, 'aws:us-east-1'],
    [{ running_in_region: null }, { location: 'oc' }, 'aws:ap-southeast-2'],
    [{ jurisdiction: 'eu' }, undefined, 'aws:eu-central-1'],
    [{ running_in_region: 'EEUR', jurisdiction: 'eu' }, undefined, 'aws:eu-central-1'],
    [{}, { jurisdiction: 'fedramp' }, 'aws:us-east-1'],
  ])('a database %j, asked for %j: %s', (info, asked, region) => {
    expect(placementRegion({ uuid: 'id', ...info }, asked)).toBe(region);
  });
});

describe('a database that exists', () => {
  test('in another location than requested: accepted', () => {
    expect(() => checkLocation({ uuid: 'id' }, { location: 'weur' })).not.toThrow();
  });

  test('bound to the requested jurisdiction: accepted', () => {
    expect(() => checkLocation({ uuid: 'id', jurisdiction: 'eu' }, { jurisdiction: 'eu' })).not.toThrow();
  });

  test('not bound to the requested jurisdiction: wrong_jurisdiction', () => {
    expect(() => checkLocation({ uuid: 'id', jurisdiction: null }, { jurisdiction: 'eu' })).toThrow(
      expect.objectContaining({ code: 'wrong_jurisdiction' }),
    );
  });
});
