import type { Router } from './api/router.ts';
import { changes } from './changes/route.ts';
import { webhooks } from './changes/webhooks/route.ts';
import { imports } from './imports/api/route.ts';
import { sources } from './imports/api/sources.ts';
import { oauth } from './oauth/route.ts';
import { operator } from './operator/route.ts';
import { pictures } from './pictures/route.ts';
import { exports } from './properties/api/export.ts';
import { names } from './properties/api/names-route.ts';
import { properties } from './properties/api/route.ts';
import { vocabulary } from './properties/api/vocabulary.ts';
import { channels } from './readers/api/channels.ts';
import { formats } from './readers/api/formats.ts';
import { readers } from './readers/api/route.ts';
import { report } from './rules/report/route.ts';
import { service } from './service/route.ts';
import { units } from './units/route.ts';
import { developments } from './units/write-route.ts';

/** Every interface of the API except the feeds: as routes, and in the order of the OpenAPI document. */
export const APIS: readonly Router[] = [
  report,
  oauth,
  units,
  developments,
  properties,
  vocabulary,
  names,
  pictures,
  imports,
  sources,
  exports,
  changes,
  webhooks,
  readers,
  channels,
  formats,
  operator,
  service,
];
