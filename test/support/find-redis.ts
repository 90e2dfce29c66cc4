import { findProgram, type Program } from './debian-program.ts';

/** A redis-server that can be started; null where there is none. */
export const findRedis = (): Program | null =>
  findProgram({
    name: 'redis-server',
    file: 'usr/bin/redis-server',
    version: '--version',
    // It is a link to a program of its tools.
    packages: [
      'redis-tools',
      'redis-server',
      'libjemalloc2',
      'liblzf1',
      'libatomic1',
      'liblua5.1-0',
      'lua-cjson',
      'lua-bitop',
    ],
  });
