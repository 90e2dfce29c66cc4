#!/usr/bin/env node
import { compileProgram } from './compile-program.ts';

compileProgram(import.meta.dirname).run();
