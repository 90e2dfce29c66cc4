import * as z from 'zod';

const most = (length: number) => z.string().min(1).max(length, `may have at most ${length} characters`);
const https = most(2_048).startsWith('https://', 'must begin with https://');
const SCOPES = ['personal', 'team', 'groupChat'] as const;

/** The keys of `defaultGroupCapability`, which Teams writes in lower case, and the scopes they refer to. */
const GROUPS = { team: 'team', groupchat: 'groupChat', meetings: 'groupChat' } as const;

/** A host name without scheme, port or path. Teams cannot reach `localhost` or IP addresses. */
export const HOST_NAME = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i;

export const VERSION = /^[1-9]\d{0,8}(?:\.(?:0|[1-9]\d{0,8})){2}$/;
export const VERSION_RULE = 'must be three numbers such as 1.2.0, the first at least 1';

const Command = z.looseObject({ title: most(32), description: most(128) });

const Manifest = z.looseObject({
  $schema: z.string(),
  manifestVersion: z.string().regex(/^1\.\d+$/, 'must be a version such as 1.25'),
  version: z.string().regex(VERSION, VERSION_RULE),
  id: z.guid(),
  developer: z.looseObject({ name: most(32), websiteUrl: https, privacyUrl: https, termsOfUseUrl: https }),
  name: z.looseObject({ short: most(30), full: most(100) }),
  description: z.looseObject({ short: most(80), full: most(4_000) }),
  icons: z.looseObject({ color: z.string(), outline: z.string() }),
  accentColor: z.string().regex(/^#[0-9a-f]{6}$/i, 'must be a color such as #1F3A5F'),
  localizationInfo: z.looseObject({
    defaultLanguageTag: z.string(),
    additionalLanguages: z.array(z.looseObject({ languageTag: z.string(), file: z.string() })),
  }),
  bots: z.tuple([
    z.looseObject({
      botId: z.guid(),
      scopes: z.array(z.enum(SCOPES)),
      commandLists: z
        .array(
          z.looseObject({
            scopes: z.array(z.enum(SCOPES)),
            commands: z.array(Command).max(12, 'may have at most 12 commands'),
          }),
        )
        .max(3, 'may have at most 3 lists'),
    }),
  ]),
  composeExtensions: z.tuple([
    z.looseObject({ botId: z.guid(), commands: z.array(Command).max(10, 'may have at most 10 commands') }),
  ]),
  validDomains: z
    .array(z.string().regex(HOST_NAME, 'must be one of your host names, without https://, path or wildcard'))
    .max(16, 'may have at most 16 domains'),
  supportsChannelFeatures: z.string().optional(),
  supportedChannelTypes: z.unknown().optional(),
  defaultInstallScope: z.string().optional(),
  defaultGroupCapability: z.record(z.string(), z.unknown()).optional(),
});
export type Manifest = z.infer<typeof Manifest>;

type Issue = [key: string, message: string];

/** From manifest 1.25 on, one property declares all kinds of channels. */
const ALL_CHANNELS = 25;

function channelIssues({
  manifestVersion,
  bots: [{ scopes }],
  supportsChannelFeatures,
  supportedChannelTypes,
}: Manifest): Issue[] {
  if (Number(manifestVersion.slice(2)) < ALL_CHANNELS) return [];
  return [
    ...(scopes.includes('team') && supportsChannelFeatures !== 'tier1'
      ? [['supportsChannelFeatures', 'must be "tier1" for a bot in teams'] satisfies Issue]
      : []),
    ...(supportedChannelTypes === undefined
      ? []
      : [['supportedChannelTypes', 'is not allowed from manifest 1.25 on'] satisfies Issue]),
  ];
}

function scopeIssues({
  bots: [{ scopes, commandLists }],
  defaultInstallScope: scope,
  defaultGroupCapability: capabilities = {},
}: Manifest): Issue[] {
  const has = (one: string): boolean => scopes.some((listed) => listed === one);
  const issues: Issue[] = [];
  if (scope !== undefined && !has(scope))
    issues.push(['defaultInstallScope', `must be a scope of the bot: ${scopes.join(', ')}`]);
  for (const [group, capability] of Object.entries(capabilities)) {
    const scope = Object.entries(GROUPS).find(([name]) => name === group)?.[1];
    const key = `defaultGroupCapability.${group}`;
    if (scope === undefined) issues.push([key, `must be one of ${Object.keys(GROUPS).join(', ')}`]);
    else if (capability !== 'bot') issues.push([key, 'must be "bot": the app has no tab and no connector']);
    else if (!has(scope)) issues.push([key, `is not a scope of the bot: ${scopes.join(', ')}`]);
  }
  for (const [n, list] of commandLists.entries())
    if (!list.scopes.every(has))
      issues.push([`bots[0].commandLists[${n}].scopes`, `must be scopes of the bot: ${scopes.join(', ')}`]);
  return issues;
}

function wordingIssues({ name, description, $schema, manifestVersion }: Manifest): Issue[] {
  const issues: Issue[] = [];
  if (!$schema.includes(`/v${manifestVersion}/`))
    issues.push(['$schema', `must be the schema of manifest ${manifestVersion}`]);
  if (name.short === name.full) issues.push(['name.full', 'must differ from name.short']);
  if (description.full.includes(description.short))
    issues.push(['description.full', 'must not repeat description.short']);
  return issues;
}

/**
 * Replaces the manifest's texts with a translation.
 * @returns the keys that are not in the manifest
 */
function translate(manifest: unknown, texts: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(texts).flatMap(([path, text]) => {
    if (path === '$schema') return [];
    const keys = path.split(/[.[\]]+/).filter((key) => key !== '');
    const last = keys.pop() ?? '';
    let held: unknown = manifest;
    for (const key of keys)
      held = typeof held === 'object' && held !== null ? Reflect.get(held, key) : undefined;
    if (typeof held !== 'object' || held === null || !(last in held)) return path;
    Reflect.set(held, last, text);
    return [];
  });
}

export interface PackageTexts {
  manifest: unknown;
  /** Translated texts, by file name. */
  languages: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

/** What Teams would refuse in the manifest, without its translations. */
function checkManifest(raw: unknown): { manifest: Manifest | null; problems: string[] } {
  const { data: manifest, error } = Manifest.safeParse(raw);
  if (manifest === undefined)
    return {
      manifest: null,
      problems: error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
    };
  const issues = [...channelIssues(manifest), ...scopeIssues(manifest), ...wordingIssues(manifest)];
  return { manifest, problems: issues.map((issue) => issue.join(': ')) };
}

/** The parsed manifest, and what Teams would refuse in it and its translations. `docs/teams.md` has the source of each rule. */
export function readManifest({ manifest: raw, languages }: PackageTexts): ReturnType<typeof checkManifest> {
  const { manifest, problems } = checkManifest(raw);
  if (manifest === null || problems.length > 0) return { manifest, problems };
  const ofLanguages = manifest.localizationInfo.additionalLanguages.flatMap(({ file }) => {
    const texts = languages.get(file);
    if (texts === undefined) return [`localizationInfo: ${file} is not in the package`];
    const translated: unknown = structuredClone(raw);
    const unknown = translate(translated, texts).map((path) => `${path} is not in the manifest`);
    return [...unknown, ...checkManifest(translated).problems].map((problem) => `${file}: ${problem}`);
  });
  return { manifest, problems: ofLanguages };
}
