import type { Express } from 'express';
import type { Env } from '../../env.ts';
import { pageHtml } from './page.tsx';
import { docHtml } from './public-pages.tsx';
import { noStore, secured } from './security-headers.ts';

const about = `# Jury

A panel of judges for what a conversational system answers.

Paste what a user said and what the system answered. Several judges with different points of view, or exact checks,
decide whether the answer holds up, and say why. Colleagues vote on the verdict, and the votes show how far each judge
can be trusted.

This copy of Jury is run by your organization. Its administrators decide who may use it and answer questions about it.

[Privacy](/privacy) · [Terms of use](/terms)
`;

const privacy = `# Privacy

This copy of Jury is run by your organization, which is responsible for your data. Its administrators can tell you whom
to ask.

## What Jury keeps

- What people paste to have it judged, with the verdict.
- Votes, corrections and comments, under a pseudonym instead of a name.
- Who asked for a verdict, for 90 days, and who changed settings.
- The name and e-mail address of people who sign in to the console, until their session ends.

The console sets cookies only to sign you in and keep you signed in, and uses them for nothing else.

If the organization has switched this on, details such as phone numbers are removed before anything is kept or sent.

## Who gets it

- The providers of the language models that the organization has set up get the pasted conversation, but never learn who
  asked or voted. Exact checks use no model.
- The chat in which someone asked gets the card that Jury posts there.

There is no telemetry, and no one else gets anything.

## How long it is kept, and what you can ask for

Verdicts and votes are deleted after a time that the organization sets, 400 days unless it changes this. You may ask its
administrators what is kept about you, and ask them to erase your votes and requests.
`;

const terms = `# Terms of use

This Jury is run by an organization for its own people. The organization's own rules for software, data and artificial
intelligence apply here, too.

- Paste only what you may share with the organization and with the language models that it has chosen.
- Verdicts are made by language models and by checks. They can be wrong: have a person look before something depends on
  them.
- Jury judges answers of systems. Do not use it to judge people.
- Jury is open-source software under the MIT license, and comes without warranty.
`;

/**
 * Serves `/about`, `/privacy` and `/terms` without a guard, because chats and their administrators link to them. Operators can replace the
 * texts of the last two.
 */
export async function serveAboutPages(app: Express, env: Env): Promise<void> {
  const { JURY_PRIVACY_FILE, JURY_TERMS_FILE } = env.settings;
  const pages = [
    ['/about', 'About', about],
    ['/privacy', 'Privacy', JURY_PRIVACY_FILE ?? privacy],
    ['/terms', 'Terms of use', JURY_TERMS_FILE ?? terms],
  ] as const;
  const paths = pages.map(([path]) => path);
  for (const [path, title, text] of pages) {
    const html = await docHtml(text, paths);
    const children = <div class="doc" dangerouslySetInnerHTML={{ __html: html }} />;
    const page = pageHtml({ title, at: '', who: null, scripts: [], children });
    app.get(path, secured(env), noStore, (_request, response) => void response.type('html').send(page));
  }
}
