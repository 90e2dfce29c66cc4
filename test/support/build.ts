import { execFileSync } from 'node:child_process';

/** The command line is tested as users run it, so what they run is built from the sources under test. */
export default function build(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
}
