import { noSuch } from '../../common/text/index.ts';
import type { CommandContext } from '../terminal/index.ts';
import { type CommandWords, commandWords, flagNames, optionsOf } from './command-words.ts';

/** What can follow a command: its subcommands, or its options with their allowed values. */
interface Step {
  path: string;
  summary: string;
  below: { name: string; summary: string }[];
  options: { name: string; about: string; takesValue: boolean; choices: string[] }[];
}

/** Every command, starting with the program itself under the path ''. */
function steps(): Step[] {
  const all: [string, Pick<CommandWords, 'summary'>][] = [
    ['', { summary: '' }],
    ...Object.entries(commandWords),
  ];
  return all.map(([path, { summary }]) => ({
    path,
    summary,
    below: Object.entries(commandWords)
      .filter(([one]) => one !== path && one.startsWith(path === '' ? '' : `${path} `))
      .map(([one, about]) => ({ name: one.slice(path === '' ? 0 : path.length + 1), summary: about.summary }))
      .filter(({ name }) => !name.includes(' ')),
    options: optionsOf(path).flatMap((option) =>
      flagNames(option).map((name) => ({
        name,
        about: option.about,
        takesValue: option.flags.includes('<'),
        choices: option.read?.includes('|') ? option.read.split('|') : [],
      })),
    ),
  }));
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The script for bash, which zsh runs too. Where nothing matches, the shell completes file names. */
function bash(): string {
  const all = steps();
  const walks = all.flatMap(({ path, below }) => below.map(({ name }) => quoted(`${path} ${name}`)));
  const values = all.flatMap(({ path, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map(({ name, choices }) => `    ${quoted(`${path} ${name}`)}) words=${quoted(choices.join(' '))} ;;`),
  );
  const next = all.map(({ path, below, options }) => {
    const names = options.map(({ name }) => name);
    return `    ${quoted(path)}) commands=${quoted(below.map(({ name }) => name).join(' '))} options=${quoted([...names, '--help'].join(' '))} ;;`;
  });
  return `_jury() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" path='' words='' commands='' options='' one
  for one in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $one" in
      ${walks.join(' | ')}) path="\${path:+$path }$one" ;;
    esac
  done
  case "$path $before" in
${values.join('\n')}
  esac
  case "$path" in
${next.join('\n')}
  esac
  if [ -z "$words" ]; then
    case "$current" in -*) words=$options ;; *) words=$commands ;; esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _jury jury`;
}

const zsh = (): string => `autoload -Uz compinit bashcompinit && compinit && bashcompinit\n${bash()}`;

function fish(): string {
  const lines = steps().flatMap(({ path, below, options }) => {
    const seen = path.split(' ').map((one) => `__fish_seen_subcommand_from ${one}`);
    const names = below.map(({ name }) => name).join(' ');
    const at =
      path === ''
        ? '__fish_use_subcommand'
        : [...seen, ...(below.length === 0 ? [] : [`not __fish_seen_subcommand_from ${names}`])].join(
            '; and ',
          );
    return [
      ...below.map(
        ({ name, summary }) => `complete -c jury -f -n ${quoted(at)} -a ${name} -d ${quoted(summary)}`,
      ),
      ...options.map(({ name, about, takesValue, choices }) => {
        const flag = name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`;
        const value = choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : takesValue ? ' -r' : '';
        return `complete -c jury -n ${quoted(at)} ${flag}${value} -d ${quoted(about)}`;
      }),
    ];
  });
  return lines.join('\n');
}

const shells: Readonly<Record<string, () => string>> = { bash, zsh, fish };

/** `jury completion`: prints a shell's completion script. @throws JuryError `usage` for any other shell */
export async function completion({ out }: CommandContext, shell: string): Promise<void> {
  const script = shells[shell];
  if (script === undefined) throw noSuch('completion for the shell', shell, Object.keys(shells));
  out(script());
}
