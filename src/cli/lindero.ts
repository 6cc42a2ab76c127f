import './command/compile-cache.ts';

await import('./main.ts');
