import { findUnavailable, type Unavailable } from '../../accounts/overview.ts';
import type { PropertyDocument } from '../../properties/documents.ts';
import { addressOf, contentOf, type Picture, pictureOf } from '../../properties/pictures.ts';
import { placesOf } from '../../rules/about/pictures.ts';
import type { Report, RuleCount } from '../../rules/report.ts';
import { formatDay } from '../format.ts';
import { SEVERITY_TONES } from '../frame/parts.tsx';
import { propertyPath } from '../paths.ts';
import { loadProperty } from '../properties/property.ts';
import { loadReport } from '../report/load.ts';
import { textsOf } from '../texts/texts.ts';
import type { Visitor } from '../visit.ts';

/** What is wrong with a picture. */
export interface PictureFinding {
  readonly tone: string;
  readonly text: string;
  /** The other property that has the picture as well: its text follows. */
  readonly other?: { readonly href: string; readonly ref: string; readonly place: string };
}

/** What is wrong with the pictures of a property, by their places. */
export interface PictureFindings {
  readonly byPlace: ReadonlyMap<number, readonly PictureFinding[]>;
  /** The pictures that nobody can fetch. */
  readonly unavailable: ReadonlyMap<string, Unavailable>;
}

/** Rules about a picture that another property has as well: as the main one of both, or otherwise. */
const SHARED = { main: 'first_picture_repeated', other: 'picture_of_another_property' } as const;

/** What the report, and the check of pictures that are elsewhere, say of each picture of a property. */
export async function findPictures(
  visitor: Visitor,
  { id, pictures }: PropertyDocument,
): Promise<PictureFindings> {
  const { db, account } = visitor;
  const texts = textsOf(visitor, 'pictures');
  const [report, failing] = await Promise.all([
    loadReport(visitor, { property: id }),
    findUnavailable(db, account.id, pictures.map(addressOf)),
  ]);
  const rules = new Map(report?.rules.map((rule) => [rule.code, rule]));
  const all: (PictureFinding & { readonly at: number })[] = [];
  for (const rule of rules.values()) {
    for (const at of placesOf(rule.code, pictures)) {
      const text = textOf(rule, pictureOf(pictures[at - 1]!));
      all.push({ at, tone: SEVERITY_TONES[rule.severity], text });
    }
  }
  const unavailable = new Map(failing.map((one) => [one.address, one]));
  for (const [index, entry] of pictures.entries()) {
    const found = unavailable.get(addressOf(entry));
    if (found === undefined) continue;
    const values = { status: found.status, since: formatDay(found.since, visitor) };
    const text = found.status === 0 ? texts.unanswered(values) : texts.unavailable(values);
    all.push({ at: index + 1, tone: SEVERITY_TONES.error, text });
  }
  const shared = await findShared(visitor, pictures, report);
  all.push(...shared);
  return { byPlace: Map.groupBy(all, ({ at }) => at), unavailable };
}

function textOf({ code, explanation, fix }: RuleCount, { width, height }: Picture): string {
  return code === 'picture_small_for_kyero' ? `${width} × ${height}. ${explanation}` : fix;
}

/** Which of the pictures other properties have as well, of those that the report names. */
async function findShared(
  visitor: Visitor,
  pictures: PropertyDocument['pictures'],
  report: Report | null,
) {
  const texts = textsOf(visitor, 'pictures');
  const named = (rule: string) =>
    (report?.findings ?? [])
      .filter((finding) => finding.rule === rule)
      .flatMap(({ value }) => value.split(' · '))
      .flatMap((value) => /^= (.+)$/.exec(value)?.[1] ?? []);
  const [ofMain, ofOthers] = [named(SHARED.main), named(SHARED.other)];
  const ids = [...new Set([...ofMain, ...ofOthers])];
  const found = await Promise.all(ids.map((id) => loadProperty(visitor, id)));
  const others = found.flatMap((each) => (each === null ? [] : [each.document]));
  return pictures.flatMap((entry, index) => {
    const same = others.find(
      (other) =>
        (index === 0 ? ofMain : ofOthers).includes(other.id) &&
        other.pictures.some((one) => identityOf(addressOf(one)) === identityOf(addressOf(entry))),
    );
    if (same === undefined) return [];
    const { id, ref, area, town } = same;
    const other = { href: propertyPath(id), ref, place: area || town };
    return [{ at: index + 1, tone: SEVERITY_TONES.warning, text: texts.sameAs, other }];
  });
}

function identityOf(address: string): string {
  return contentOf(address) ?? address;
}
