import type { Api } from '../http/api.ts';
import { oauth } from '../oauth/route.ts';
import { operator } from '../operator/route.ts';
import { service } from '../service/route.ts';
import { changes } from './changes/route.ts';
import { exports } from './export/route.ts';
import { imports, sources } from './imports/route.ts';
import { properties } from './properties/route.ts';
import { channels } from './readers/channels.ts';
import { formats } from './readers/formats.ts';
import { readers } from './readers/route.ts';
import { report } from './report/route.ts';
import { units } from './units/route.ts';
import { webhooks } from './webhooks/route.ts';

/** Every interface of the API except the feeds: as routes, and in the order of the OpenAPI document. */
export const APIS: readonly Api[] = [
  report,
  oauth,
  units,
  properties,
  imports,
  exports,
  sources,
  changes,
  webhooks,
  readers,
  channels,
  formats,
  operator,
  service,
];
