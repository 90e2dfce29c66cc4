#!/usr/bin/env node
// Source maps must be enabled before the first module loads, so that stack traces point to lines in src/.
process.setSourceMapsEnabled(true);
await import('./main.ts');
