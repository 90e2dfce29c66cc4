import { openTerminal } from '../../src/surfaces/terminal/command-context.ts';

// Prints what a command would, in turn to both, and ends at once or by itself.
const { stdout, stderr } = process;
const { out, err } = openTerminal({ stdin: () => process.stdin, stdout, stderr, colors: 0 }, () => {});
out('one');
err('two');
out('three');
out('four');
if (process.argv[2] === 'at once') process.exit();
