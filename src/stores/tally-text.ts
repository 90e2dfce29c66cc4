import type { VoteTally } from '../labels/vote.ts';

/** `1,0,2`: who agrees, disagrees, is unsure. */
export function readTally(text: string): VoteTally {
  const [agree = 0, disagree = 0, unsure = 0] = text.split(',').map(Number);
  return { agree, disagree, unsure };
}

/** The same for many texts of which most are alike, as in counts: each is read once. */
export function tallyReader(): (text: string) => VoteTally {
  const known = new Map<string, VoteTally>();
  return (text) => {
    const tally = known.get(text) ?? readTally(text);
    known.set(text, tally);
    return tally;
  };
}
