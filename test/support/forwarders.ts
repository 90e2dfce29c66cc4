import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { findProgram, type Program, saySkipped } from './debian-program.ts';
import { closing, newFolder, until } from './resources.ts';
import { freePort } from './slack-wire.ts';

/** A program of the distribution; null where there is none, which is said aloud. */
function found(wanted: Parameters<typeof findProgram>[0]): Program | null {
  const program = findProgram(wanted);
  if (program === null)
    saySkipped(`No ${wanted.name} to test with: install it (apt-get must reach its mirror).`);
  return program;
}

const answers = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });

/** Starts it, and stops it after the test. @returns once it takes connections */
async function running(
  { command, libraries }: Program,
  args: readonly string[],
  port: number,
): Promise<number> {
  const env = { ...process.env, LD_LIBRARY_PATH: libraries };
  const child: ChildProcess = spawn(command, args, { stdio: 'ignore', env });
  closing(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}`);
    return answers(port);
  });
  return port;
}

/** Forwards a port of its own to the service's; resolves to that. */
export type Forward = (to: number) => Promise<number>;

/** nginx, as someone sets it up in a minute. */
export function findNginx(): Forward | null {
  const nginx = found({
    name: 'nginx',
    file: 'usr/sbin/nginx',
    version: '-v',
    packages: ['nginx', 'libpcre2-8-0'],
  });
  if (nginx === null) return null;
  return async (to) => {
    const [folder, port] = [newFolder(), await freePort()];
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => {
      const path = join(folder, name);
      mkdirSync(path);
      return `${name}_temp_path ${path};`;
    });
    const config = join(folder, 'nginx.conf');
    writeFileSync(
      config,
      `daemon off; pid ${join(folder, 'pid')}; error_log ${join(folder, 'errors')}; events {}
http { access_log off; ${temporary.join(' ')}
server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${to}; } } }`,
    );
    return running(nginx, ['-p', folder, '-e', join(folder, 'errors'), '-c', config], port);
  };
}

/** socat: what comes in goes on as it is. */
export function findSocat(): Forward | null {
  const packages = ['socat', 'libwrap0', 'libnsl2', 'libtirpc3'] as const;
  const socat = found({ name: 'socat', file: 'usr/bin/socat', version: '-V', packages });
  if (socat === null) return null;
  return async (to) => {
    const port = await freePort();
    const listen = `TCP-LISTEN:${port},bind=127.0.0.1,reuseaddr,fork`;
    return running(socat, [listen, `TCP:127.0.0.1:${to}`], port);
  };
}
