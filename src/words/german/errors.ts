import type { errors as english } from '../english/errors.ts';
import { andList } from './format.ts';

export const errors: typeof english = {
  delivery: {
    busy: ({ platform, detail }) => `${platform} nimmt es gerade nicht an (${detail})`,
    archived: () => 'der Kanal ist archiviert',
    'no access': () => 'ich darf dort nicht schreiben: Lad mich ein, oder frag einen Admin',
    gone: () => 'die Nachricht dazu wurde gelöscht',
    scope: ({ platform, detail }) =>
      `meiner App fehlt in ${platform} der Scope ${detail}: Ein Admin fügt ihn hinzu und installiert die App neu`,
    token: ({ platform, detail }) =>
      `${platform} akzeptiert die Zugangsdaten meiner App nicht mehr (${detail}): Ein Admin installiert sie neu`,
    shape: ({ platform, detail }) => `${platform} lehnt es ab (${detail})`,
    noAnswer: 'keine Antwort',
  },
  digestNotPosted: {
    invite: (code) => `die App darf dort nicht posten (${code}): Lad sie in den Kanal ein`,
    busy: ({ platform, code }) => `${platform} nimmt ihn gerade nicht an (${code})`,
    refused: ({ platform, code }) => `${platform} lehnt ihn ab (${code})`,
    plainText: ({ platform, code }) => `${platform} lehnt den Bericht sogar als reinen Text ab (${code})`,
    noPersonalChat: 'Wer den Bericht geplant hat, hat keinen eigenen Chat mit Jury.',
  },
  noPersonalChat: (platform) =>
    `diese Person hat keinen eigenen Chat mit Jury: Sie installiert die App in ${platform} und schreibt ihr „hello“.`,
  refused: {
    admins:
      'Das dürfen hier nur Jury-Admins. Frag einen von ihnen; in den Einstellungen kann ein Admin es allen in dieser Unterhaltung erlauben.',
    guest:
      'Gäste und Leute aus anderen Organisationen dürfen das nicht. Frag jemanden aus dieser Unterhaltung.',
    outsider: 'Du bist nicht Mitglied dieser Unterhaltung.',
    unknown:
      'Ich kann nicht sehen, wer in dieser Unterhaltung ist. Versuch es in einer Minute noch einmal; in einen privaten Kanal musst du mich zuerst einladen.',
  },
  notAllowedHere: ({ models, allowed }) =>
    `${andList(models)} ${models.length === 1 ? 'darf' : 'dürfen'} in diesem Kanal nicht urteilen. Erlaubt ${allowed.length === 1 ? 'ist' : 'sind'} hier ${andList(allowed)}.`,
  requestDeleted: 'Die Anfrage wurde gelöscht.',
};
