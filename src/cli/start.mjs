import { runBundled } from './bundle.mjs';

await runBundled('start.ts');
