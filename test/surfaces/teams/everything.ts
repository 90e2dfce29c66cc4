import { editedNotice } from '../../../src/surfaces/chat/notices.ts';
import type { TeamsMessage } from '../../../src/surfaces/teams/messages.ts';
import { cardMessage, sharedMessage } from '../../../src/surfaces/teams/render/card.ts';
import {
  answeredCard,
  blindCaseCard,
  blindMessage,
  detailsCard,
  jsonCard,
} from '../../../src/surfaces/teams/render/details.ts';
import { digestDetails, digestMessage } from '../../../src/surfaces/teams/render/digest.ts';
import { formDialog } from '../../../src/surfaces/teams/render/form.ts';
import { casesCard, queueMessage, summaryMessage } from '../../../src/surfaces/teams/render/lists.ts';
import {
  errorMessage,
  linesMessage,
  looksIn,
  noticeMessage,
  receivedMessage,
  welcomeMessage,
} from '../../../src/surfaces/teams/render/notices.ts';
import { studyMessage } from '../../../src/surfaces/teams/studies.ts';
import type { Language } from '../../../src/words/language.ts';
import { wordsIn } from '../../../src/words/words.ts';
import { everythingWith } from '../../support/everything-shown.ts';

/** Everything that Teams is shown, with one text in all places at once. */
export function everythingOf(
  text: string,
  language: Language = 'en',
): { messages: TeamsMessage[]; dialogs: unknown[] } {
  const looks = looksIn(language);
  const { record, scored, inputs, input, texts, lines, queue, standard, vote, ...more } = everythingWith(
    text,
    language,
  );
  const { progress, study, forms, digest, unclear, unsure, reading, answers, listed, reviews } = more;
  const [own, agreement] = [
    { right: 4, of: 5 },
    { agreed: 20, n: 30 },
  ];
  const asked = { ...input, asker: 'an-id', record: { ...input.record, source: record.source } };
  return {
    messages: [
      ...inputs.map((one) => cardMessage(one)),
      cardMessage(asked),
      sharedMessage(input, text),
      blindMessage(record, standard, language),
      blindMessage(scored, standard, language),
      summaryMessage('k1', lines, language),
      queueMessage(queue, null),
      queueMessage({ ...queue, items: [] }, { recent: Array(9).fill(listed), own, agreement }),
      digestMessage(digest, null, language),
      digestDetails({ ...digest, details: digest.blocks }, null, language),
      looks.progress(progress),
      looks.hiddenProgress(progress),
      looks.unclear(unclear),
      looks.unsureLines(unsure),
      looks.readByModel(reading),
      ...answers.map((answer) => looks.answer(answer, texts)),
      errorMessage(text),
      looks.budget({ limitUsd: 5 }),
      receivedMessage(text, language),
      noticeMessage(editedNotice('k1', true, language)),
      linesMessage(() => text, [[text, { person: 'p' }]]),
      studyMessage(study, { done: 1, total: 2 }, language),
      ...reviews.map(noticeMessage),
      welcomeMessage(language),
      looks.unreadable(true),
      looks.unreadable(false),
    ],
    dialogs: [
      ...inputs.flatMap((one) => [0, 1, 2].map((page) => detailsCard(one, page))),
      detailsCard(input, 0, vote, wordsIn(language).votes.own.counts),
      answeredCard(input, vote),
      blindCaseCard(record, standard, language),
      blindCaseCard(scored, standard, language, 1),
      jsonCard('v1', JSON.stringify({ text }, null, 1), 0, language),
      casesCard(lines, language),
      ...Object.values(forms).map((form) => formDialog(form, { do: 'ask' }).card),
    ],
  };
}
