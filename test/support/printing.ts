import { openTerminal } from '../../src/surfaces/cli/open-terminal.ts';

// Prints what a command would, in turn to both, and ends at once or by itself.
const { out, err } = openTerminal(() => {});
out('one');
err('two');
out('three');
out('four');
if (process.argv[2] === 'at once') process.exit();
