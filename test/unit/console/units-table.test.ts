import { describe, expect, test } from 'vitest';
import { buildingOf } from '../../../src/console/units/building.ts';
import { readTable, statusOf, unitIn } from '../../../src/console/units/paste.ts';

/** The units of a pasted text, without what is empty. */
function unitsIn(text: string, columns?: string[]) {
  const table = readTable(text, columns);
  return table.rows.map((row) => unitIn(table, row));
}

describe('a pasted table', () => {
  test('with headings in Spanish, cells between tabs, and numbers as people write them: each cell as its column', () => {
    const text =
      'Vivienda\tTipología\tDormitorios\tSup. construida\tTerraza\tPlanta\tPVP\tEstado\tOrientación\n' +
      'A-101\tApartment\t2\t84 m²\t16,4\t1ª\t345.000 €\tVendido\tSur, SO\n' +
      'A-102\t\t\t\t\t\t1,25 M\tlibre\t\n';
    expect(unitsIn(text)).toEqual([
      {
        line: 2,
        name: 'A-101',
        status: 4,
        price: 345_000,
        directions: ['S', 'SW'],
        facts: { type: 'Apartment', beds: 2, built_area: 84, terrace_area: 16, floor: '1ª' },
        errors: [],
      },
      { line: 3, name: 'A-102', status: 1, price: 1_250_000, facts: {}, errors: [] },
    ]);
  });

  test('without headings: columns are what they seem to be, and what somebody says instead counts', () => {
    const text = 'A-1\tReserved\t410000\t3\t112\tSE\nA-2\tHold\t390000\t2\t84\tN';
    expect(readTable(text).columns).toEqual([
      'name',
      'status',
      'price',
      'beds',
      'built_area',
      'directions',
    ]);
    const [first] = unitsIn(text, ['name', 'status', 'price', 'bath', '', 'nonsense']);
    expect(first).toMatchObject({ facts: { bath: 3 }, errors: [] });
    expect(first).not.toHaveProperty('directions');
  });

  test('a single column: names; a heading that stands there twice counts once', () => {
    expect(unitsIn('A-1\r\nA-2\r\n\r\nA-3').map(({ name, line }) => [name, line])).toEqual([
      ['A-1', 1],
      ['A-2', 2],
      ['A-3', 4],
    ]);
    expect(readTable('Unit\tPrice\tPrice\nA\t1\t2').columns).toEqual(['name', 'price', '']);
  });

  test('cells in quotation marks: with line ends, tabs and quotation marks; cells between semicolons', () => {
    expect(unitsIn('"A\t""1"""\t"1\n2"', ['name', 'floor'])).toMatchObject([
      { name: 'A\t"1"', facts: { floor: '1\n2' } },
    ]);
    expect(unitsIn('Unidad;Precio\nA-1;345.000,50')).toMatchObject([
      { name: 'A-1', price: 345_000.5 },
    ]);
  });

  test('what is not understood: an error at its column, and no value', () => {
    const text = 'Unit\tPrice\tStatus\tFaces\tBedrooms\n\tmany\tgone\tsea\ttwo\nA\t-5\t3\t\t';
    expect(unitsIn(text)).toEqual([
      {
        line: 2,
        name: '',
        facts: {},
        errors: [
          ['price', 'notNumber'],
          ['status', 'notStatus'],
          ['directions', 'notDirections'],
          ['beds', 'notNumber'],
          ['name', 'missing'],
        ],
      },
      {
        line: 3,
        name: 'A',
        facts: {},
        errors: [
          ['price', 'priceNegative'],
          ['status', 'notStatus'],
        ],
      },
    ]);
  });

  test.each([
    ['Available', 1],
    ['D', 1],
    ['bloqueado', 2],
    ['H', 2],
    ['VENDIDAS', 4],
    ['reservada', 8],
    ['8', 8],
    ['16', null],
  ])('the status %j is %j', (text, status) => {
    expect(statusOf(text)).toBe(status);
  });
});

describe('a building', () => {
  const shape = (names: string[], floors: Record<string, string> = {}) =>
    buildingOf(
      names.map((name) => ({ name })),
      ({ name }) => floors[name] ?? null,
    ).map(({ name, floors, widest }) => ({
      [name]: floors.map((floor) => [floor.name, ...floor.units.map((unit) => unit.name)]),
      widest,
    }));

  test('units with numbers of floors in their names: blocks, the highest floor first', () => {
    expect(shape(['B-101', 'A-102', 'A-1001', 'A-101', 'A-201'])).toEqual([
      {
        A: [
          ['10', 'A-1001'],
          ['2', 'A-201'],
          ['1', 'A-101', 'A-102'],
        ],
        widest: 2,
      },
      { B: [['1', 'B-101']], widest: 1 },
    ]);
  });

  test('Spanish names: by their ordinal numbers; the ground floor is below', () => {
    expect(shape(['Portal 1 2ºB', '1º A', 'Bajo A'], { 'Bajo A': 'Bajo' })).toEqual([
      {
        '': [
          ['1', '1º A'],
          ['Bajo', 'Bajo A'],
        ],
        widest: 1,
      },
      { 'Portal 1': [['2', 'Portal 1 2ºB']], widest: 1 },
    ]);
  });

  test('names without floors: as their listings say, or in one row', () => {
    expect(shape(['Villa 2', 'Villa 10', 'Villa 1'])).toEqual([
      { Villa: [[null, 'Villa 1', 'Villa 2', 'Villa 10']], widest: 3 },
    ]);
    expect(shape(['A-1', 'A-2'], { 'A-2': '3' })).toEqual([
      {
        A: [
          ['3', 'A-2'],
          [null, 'A-1'],
        ],
        widest: 1,
      },
    ]);
  });
});
