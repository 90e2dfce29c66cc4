#!/usr/bin/env node
// Stack traces name the lines of src/: source maps have to be on before the first module of the program is loaded.
process.setSourceMapsEnabled(true);
await import('./main.ts');
