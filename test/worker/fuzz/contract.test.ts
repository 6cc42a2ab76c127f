import { env } from 'cloudflare:workers';
import { beforeAll, test } from 'vitest';
import { OPERATIONS } from '../api/operations.ts';
import { checkContract, openContract } from './contract.ts';

beforeAll(openContract);

const RUNS = Math.max(Math.ceil(env.FUZZ.cases / OPERATIONS.length), 2);

test.each(OPERATIONS)(
  'malformed requests to $operationId: a documented status, media type and body',
  (operation) => checkContract(operation, RUNS, env.FUZZ.seed),
);
